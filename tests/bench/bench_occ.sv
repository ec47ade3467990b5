// SPDX-License-Identifier: Apache-2.0
// For `make bench OCC=1` only: what each hop between two stages did with its cycles, printed when the simulation ends.
//
// A hop moves (valid and ready), waits (valid, not ready) or is empty. The stage that limits is the one whose hop in
// waits while its hop out does not (tests/bench/README.md). Hops stand in the order of a message's way; names with
// an A are of who sends, B of who receives.
`define SEND cairn_nic.u_core.u_send
`define REQ  cairn_nic.u_core.u_send.u_requester
`define CMP  cairn_nic.u_core.u_send.u_completer
`define RECV cairn_nic.u_core.u_receive
`define RSP  cairn_nic.u_core.u_receive.u_responder
`define HOP(N, TEXT, V, R) bench_hop #(.ORDER(N), .NAME(TEXT)) u_``N (.clk_i, .valid_i(V), .ready_i(R));

module bench_occ (
    input logic clk_i
);
  `HOP(10, "A_doorbell_to_scheduler", `SEND.sk_valid[0], `SEND.sk_ready.doorbell)
  `HOP(11, "A_scheduler_to_visit",    `SEND.sched.valid, `SEND.s_ready)
  `HOP(12, "A_visit_to_build",        `REQ.v_valid, `REQ.v_ready)
  `HOP(13, "A_build_to_issue",        `REQ.r_valid, `REQ.r_ready)
  `HOP(14, "A_issue_head",            `REQ.rq_valid, `REQ.rq_ready)
  `HOP(15, "A_issue_job_to_ring",     cairn_nic.u_tx.requests_i.job_valid, cairn_nic.u_tx.requests_ready_o.job)
  `HOP(16, "A_ring_to_arbiter",       cairn_nic.u_tx.req_arb_valid, cairn_nic.u_tx.arb_ready[0])
  `HOP(17, "A_arbiter_to_builder",    cairn_nic.u_tx.grant.valid, cairn_nic.u_tx.gnt_ready)
  `HOP(20, "B_rx_to_lookup",          `RECV.rx_i.valid, `RECV.rx_ready_o)
  `HOP(21, "B_lookup_to_dispatch",    `RECV.q_valid, `RECV.q_ready)
  `HOP(22, "B_dispatch_to_check",     `RECV.rp.valid, `RECV.rp_taken.ready)
  `HOP(23, "B_check_to_walk",         `RSP.chk_valid, `RSP.chk_ready)
  `HOP(24, "B_again_to_walk",         `RSP.again_valid, `RSP.again_ready)
  `HOP(25, "B_walk_to_join",          `RSP.walk_valid, `RSP.walk_ready)
  `HOP(26, "B_join_to_commit",        `RSP.rec_valid, `RSP.rec_ready)
  `HOP(27, "B_commit_to_dma",         `RSP.memory_o.wr.rsp.valid, `RSP.memory_ready_i.wr.rsp)
  `HOP(28, "B_commit_events",         `RSP.ev_valid, `RSP.ev_ready)
  `HOP(29, "B_response_job_to_ring",  `RSP.responses_o.job_valid, `RSP.responses_ready_i.job)
  `HOP(30, "B_ack_to_arbiter",        `RSP.responses_o.ack_valid, `RSP.responses_ready_i.ack)
  `HOP(31, "B_commit_to_cq",          `RSP.news_o.cq.put.valid, `RSP.news_ready_i.cq)
  `HOP(40, "A_dispatch_to_completer", `CMP.pkt_i.valid, `CMP.pkt_o.ready)
  `HOP(44, "A_place_to_check",        `CMP.u_place.f_valid, `CMP.u_place.f_ready)
  `HOP(45, "A_again_to_check",        `CMP.u_place.k_valid, `CMP.u_place.k_take)
  `HOP(46, "A_check_to_join",         `CMP.u_place.u_join.t_valid, `CMP.u_place.u_join.done)
  `HOP(47, "A_join_to_retire",        `CMP.prog.valid, `CMP.pg_ready)
  `HOP(41, "A_kick_to_retire",        `CMP.visit.valid, `CMP.v_ready)
  `HOP(42, "A_retire_to_cq",          `CMP.news_o.cq.put.valid, `CMP.news_ready_i.cq)
  `HOP(43, "A_place_to_packet",       `CMP.ev_valid[1], `CMP.ev_ready[1])
endmodule

bind cairn_nic bench_occ u_bench_occ (.clk_i(clk_i));
