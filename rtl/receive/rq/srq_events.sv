// SPDX-License-Identifier: Apache-2.0
// Asynchronous events of shared receive queues, for srq_state: SRQ_ERR, then SRQ_LIMIT, each once, on EQN_ASYNC.
//
// Strobes; ended_i: the queue is set up anew or gone, and what has not been told is forgotten. Errors: none.
module srq_events #(
    parameter int unsigned SRQS_LOG2 = 4
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic [SRQS_LOG2-1:0]     srqn_i,        // of err_i and ended_i
    input  logic                     err_i,
    input  logic                     ended_i,
    input  logic [SRQS_LOG2-1:0]     limit_srqn_i,
    input  logic                     limit_i,
    output cairn_int_pkg::eq_event_t eqe_o,
    input  logic                     eqe_ready_i,
    output logic                     idle_o
);
  localparam int unsigned N  = 1 << SRQS_LOG2;
  localparam int unsigned SW = SRQS_LOG2;
  logic [N-1:0]  limit_q, err_q;
  logic          ev_any, ev_ready;
  logic [SW-1:0] ev_idx;
  cairn_int_pkg::eqe_req_t ev;
  prio_enc #(.N(N)) u_ev (.in_i(limit_q | err_q), .valid_o(ev_any), .idx_o(ev_idx));
  always_comb begin
    ev        = '0;
    ev.eqn    = 8'(cairn_hw_pkg::EQN_ASYNC);
    ev.etype  = err_q[ev_idx] ? cairn_hw_pkg::EQE_TYPE_SRQ_ERR : cairn_hw_pkg::EQE_TYPE_SRQ_LIMIT;
    ev.number = 24'(ev_idx);
  end
  stream_reg #(.WIDTH(cairn_int_pkg::EQE_REQ_W)) u_eqe (
      .clk_i, .rst_ni, .in_valid_i(ev_any), .in_ready_o(ev_ready), .in_data_i(ev),
      .out_valid_o(eqe_o.valid), .out_ready_i(eqe_ready_i), .out_data_o(eqe_o.req));
  for (genvar g = 0; g < N; g++) begin : g_event
    logic mine, goes;
    assign mine = srqn_i == SW'(g);
    assign goes = ev_any && ev_ready && ev_idx == SW'(g);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || (ended_i && mine)) begin
        limit_q[g] <= 1'b0;
        err_q[g]   <= 1'b0;
      end else begin
        if (err_i && mine) err_q[g] <= 1'b1;
        else if (goes) err_q[g] <= 1'b0;
        if (limit_i && limit_srqn_i == SW'(g)) limit_q[g] <= 1'b1;
        else if (goes && !err_q[g]) limit_q[g] <= 1'b0;
      end
    end
  end
  assign idle_o = !ev_any && !eqe_o.valid;
endmodule
