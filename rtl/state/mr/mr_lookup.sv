// SPDX-License-Identifier: Apache-2.0
// First half of the MR service: key lookup and checks. Requests of the clients (MRC_*), one a cycle, round robin.
//
// Each is looked up in the MPT cache (outside), its record read, and checked: full key, mode, PD (and QP of a type 2
// window), rights, bounds (IBTA 10.6.7, 9.4.1.1). The check cannot overflow: va >= base, chk_len <= length, va - base
// <= length - chk_len. A zero-based region or window is addressed from 0 on, its page list from base on. inv: only
// whether a peer may invalidate the key (mr_inv_rule); no address.
// Order: one entry for each request, in request order. For a direct region or an error the answer is complete; for a
//   paged one mr_translate finds the pages. A lookup that must wait is answered MRS_MISS. At most DEPTH requests are
//   inside; room for their answers is the clients' credit (mr_service).
module mr_lookup #(
    parameter int unsigned SLOTS = 64,
    parameter int unsigned DEPTH = 8,
    localparam int unsigned AW    = $clog2(SLOTS),
    localparam int unsigned N     = cairn_int_pkg::MRC_N
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  cairn_int_pkg::mr_asks_t       asks_i,  // valid only while the client has credit
    output cairn_int_pkg::mr_asks_ready_t asks_ready_o,
    // MPT cache, never with a pin: the record is read in the cycle after the answer
    output cairn_int_pkg::ctx_req_t       ctx_o,
    input  logic                          ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t       ctx_i,
    output logic [AW-1:0]                 mpt_slot_o,
    input  logic [511:0]                  mpt_data_i,
    output logic                          out_valid_o,
    input  logic                          out_ready_i,
    output cairn_int_pkg::mr_look_t       out_o,
    output logic                          idle_o
);
  localparam int unsigned LW = cairn_int_pkg::LEN_W;
  localparam int unsigned RQW = cairn_int_pkg::MR_REQ_W;

  // ---- clients by number ----
  logic [N-1:0]     in_valid, in_ready;
  logic [N*RQW-1:0] in_req;
  assign in_valid[cairn_int_pkg::MRC_REQ]          = asks_i.requester.valid;
  assign in_valid[cairn_int_pkg::MRC_RSP]          = asks_i.responder.valid;
  assign in_valid[cairn_int_pkg::MRC_CMP]          = asks_i.completer.valid;
  assign in_valid[cairn_int_pkg::MRC_RD]           = asks_i.rsp_tx.valid;
  assign in_req[cairn_int_pkg::MRC_REQ*RQW +: RQW] = asks_i.requester.req;
  assign in_req[cairn_int_pkg::MRC_RSP*RQW +: RQW] = asks_i.responder.req;
  assign in_req[cairn_int_pkg::MRC_CMP*RQW +: RQW] = asks_i.completer.req;
  assign in_req[cairn_int_pkg::MRC_RD*RQW +: RQW]  = asks_i.rsp_tx.req;
  assign asks_ready_o.requester                    = in_ready[cairn_int_pkg::MRC_REQ];
  assign asks_ready_o.responder                    = in_ready[cairn_int_pkg::MRC_RSP];
  assign asks_ready_o.completer                    = in_ready[cairn_int_pkg::MRC_CMP];
  assign asks_ready_o.rsp_tx                       = in_ready[cairn_int_pkg::MRC_RD];

  // ---- choose a client ----
  logic         gnt_valid, room;
  logic [N-1:0] gnt;
  logic [1:0]   gnt_idx;
  logic [RQW-1:0] req;
  logic         take;
  rr_arbiter #(.N(N)) u_arb (
      .clk_i, .rst_ni, .req_i(in_valid), .ack_i(take), .lock_i(1'b0), .gnt_valid_o(gnt_valid), .gnt_o(gnt),
      .gnt_idx_o(gnt_idx));
  always_comb begin
    req = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (gnt[i]) req = req | in_req[i*RQW +: RQW];
    end
  end
  cairn_int_pkg::mr_req_t rq;
  assign rq          = req;
  assign ctx_o.valid = gnt_valid && room;
  assign ctx_o.key   = rq.key[31:8];
  assign take        = ctx_o.valid && ctx_ready_i;
  assign in_ready    = take ? gnt : '0;

  // ---- requests whose answer is on its way ----
  cairn_int_pkg::mr_asked_t w_out;
  logic [$clog2(DEPTH+1)-1:0] inside_q;
  logic             leave;
  assign room  = inside_q != ($clog2(DEPTH+1))'(DEPTH);
  assign leave = out_valid_o && out_ready_i;
  sync_fifo #(.WIDTH(cairn_int_pkg::MR_ASKED_W), .DEPTH(DEPTH)) u_wait (
      .clk_i, .rst_ni, .in_valid_i(take), .in_ready_o(), .in_data_i({gnt_idx, req}),
      .out_valid_o(), .out_ready_i(s2_q), .out_data_o(w_out));

  // ---- answer, record, check ----
  logic         s2_q;
  logic [2:0]   st_q;
  assign mpt_slot_o = ctx_i.slot[AW-1:0];
  cairn_int_pkg::mr_req_t c;
  cairn_hw_pkg::mpt_t     m;
  logic [1:0]             client;
  logic [63:0]            off, walk, room_after, in_mask, page_off, pte_idx;
  logic                   zero_based;
  logic [7:0]             inv_err;
  logic [63:0]            page_no;
  logic [4:0]             lg;
  logic [30:0]            in_page;      // bytes to the page's end
  logic [7:0]             need;
  logic                   bad_key, bad_pd, bad_rights, bad_bounds, paged;
  cairn_int_pkg::mr_rsp_t r;
  assign client     = w_out.client;
  assign c          = w_out.req;
  assign m          = mpt_data_i;
  assign lg         = m.flags_page_log2[4:0];
  assign paged      = m.flags_mode == cairn_hw_pkg::MR_MODE_PAGED;
  assign zero_based = (m.flags_access & cairn_hw_pkg::ACCESS_ZERO_BASED) != '0;
  assign off        = zero_based ? c.va : c.va - m.base;
  assign walk       = zero_based ? c.va + m.base : c.va;
  assign room_after = m.length - {32'h0, c.chk_len};
  assign bad_key    = m.key != c.key || m.flags_mode == cairn_hw_pkg::MR_MODE_FREE || m.flags_freed;
  assign bad_pd     = m.pd != c.pd || (m.flags_window && m.flags_type2 && m.qpn != {8'h0, c.qpn});
  // Remote writes need LOCAL_WRITE too; a window's region was asked when it was bound.
  assign need       = c.rights | ((c.remote && !m.flags_window
                                  && (c.rights & (cairn_hw_pkg::ACCESS_REMOTE_WRITE
                                  | cairn_hw_pkg::ACCESS_REMOTE_ATOMIC)) != '0)
                                  ? cairn_hw_pkg::ACCESS_LOCAL_WRITE : 8'h0);
  assign bad_rights = (m.flags_access & need) != need || (m.flags_window && !c.remote);
  assign bad_bounds = (!zero_based && c.va < m.base) || {32'h0, c.chk_len} > m.length || off > room_after;
  assign in_mask    = (64'h1 << lg) - 64'h1;
  assign page_off   = walk & in_mask;
  assign page_no    = (walk - (m.base & ~in_mask)) >> lg;      // what is in bounds does not lie before base
  assign pte_idx    = m.map + page_no;
  assign in_page    = 31'((64'h1 << lg) - page_off);
  mr_inv_rule u_inv (.mpt_i(m), .key_i(c.key), .pd_i(c.pd), .qpn_i(c.qpn), .remote_i(1'b1),
      .vendor_o(inv_err));
  always_comb begin
    r        = '0;
    r.func   = m.flags_func;
    r.last   = c.last;
    r.iova0  = m.map + off;
    r.len0   = c.len;
    r.status = cairn_int_pkg::MRS_OK;
    if (paged && 31'(c.len) > in_page && !c.inv) begin
      r.len0 = in_page[LW-1:0];
      r.len1 = c.len - in_page[LW-1:0];
    end
    if (st_q == cairn_hw_pkg::CTX_RESULT_WAITING || st_q == cairn_hw_pkg::CTX_RESULT_RETRY) begin
      r.status = cairn_int_pkg::MRS_MISS;
    end else if (st_q == cairn_hw_pkg::CTX_RESULT_FREE) begin
      r.status = cairn_int_pkg::MRS_ERR;
      r.vendor = cairn_hw_pkg::VENDOR_ERR_KEY_INDEX;
    end else if (st_q != cairn_hw_pkg::CTX_RESULT_OK) begin
      r.status = cairn_int_pkg::MRS_ERR;
      r.vendor = cairn_hw_pkg::VENDOR_ERR_CTX_CHECK;
    end else if (c.inv) begin
      r.status = (inv_err == cairn_hw_pkg::VENDOR_ERR_NONE) ? cairn_int_pkg::MRS_OK : cairn_int_pkg::MRS_ERR;
      r.vendor = inv_err;
    end else if (bad_key) begin
      r.status = cairn_int_pkg::MRS_ERR;
      r.vendor = (m.flags_mode == cairn_hw_pkg::MR_MODE_FREE || m.flags_freed) ? cairn_hw_pkg::VENDOR_ERR_KEY_INDEX
          : cairn_hw_pkg::VENDOR_ERR_KEY_TAG;
    end else if (bad_pd) begin
      r.status = cairn_int_pkg::MRS_ERR;
      r.vendor = cairn_hw_pkg::VENDOR_ERR_KEY_PD;
    end else if (bad_rights) begin
      r.status = cairn_int_pkg::MRS_ERR;
      r.vendor = cairn_hw_pkg::VENDOR_ERR_KEY_RIGHTS;
    end else if (bad_bounds) begin
      r.status = cairn_int_pkg::MRS_ERR;
      r.vendor = cairn_hw_pkg::VENDOR_ERR_KEY_BOUNDS;
    end
  end

  sync_fifo #(.WIDTH(cairn_int_pkg::MR_LOOK_W), .DEPTH(DEPTH)) u_out (
      .clk_i, .rst_ni, .in_valid_i(s2_q), .in_ready_o(),
      .in_data_i({client, paged && !c.inv && r.status == cairn_int_pkg::MRS_OK, lg, pte_idx, page_off[29:0], r}),
      .out_valid_o, .out_ready_i, .out_data_o(out_o));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s2_q     <= 1'b0;
      inside_q <= '0;
    end else begin
      s2_q     <= ctx_i.valid;
      inside_q <= inside_q + ($clog2(DEPTH+1))'(take) - ($clog2(DEPTH+1))'(leave);
    end
    st_q <= ctx_i.status;
  end
  assign idle_o = inside_q == '0 && in_valid == '0;
endmodule
