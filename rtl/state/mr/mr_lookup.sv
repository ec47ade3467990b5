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
// FAST = 0: one request is looked up at a time: 4 cycles each with records that are on chip, 6 with a cache. LATE: what
//   the record says goes through a register, and the next one is looked up meanwhile: 3 cycles each.
module mr_lookup #(
    parameter int unsigned SLOTS = 64,
    parameter int unsigned DEPTH = 8,
    parameter bit          FAST  = 1'b1,
    parameter bit          LATE  = 1'b0,      // not with FAST
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
  logic [1:0]   gnt_idx;
  logic [RQW-1:0] req;
  logic         take;
  if (FAST) begin : g_choose
    // No client's ready waits for another's request, nor for its own.
    logic [N-1:0] gnt;
    rr_kept #(.N(N)) u_arb (
        .clk_i, .rst_ni, .req_i(in_valid), .used_i(take), .hold_i(1'b0), .gnt_o(gnt), .gnt_idx_o(gnt_idx),
        .shown_o(gnt_valid));
    assign in_ready = gnt & {N{room && ctx_ready_i}};
  end else begin : g_chosen
    // Chosen in the cycle before, while the last one is looked up: no client's ready waits for another's request.
    rr_chosen #(.N(N)) u_arb (
        .clk_i, .rst_ni, .req_i(in_valid), .ready_i(room && ctx_ready_i), .gnt_valid_o(gnt_valid), .gnt_o(),
        .ready_o(in_ready), .gnt_idx_o(gnt_idx));
  end
  assign req = in_req[gnt_idx*RQW +: RQW];
  cairn_int_pkg::mr_req_t rq;
  assign rq          = req;
  assign ctx_o.valid = gnt_valid && room;
  assign ctx_o.key   = rq.key[31:8];
  assign take        = ctx_o.valid && ctx_ready_i;

  // ---- requests whose answer is on its way ----
  cairn_int_pkg::mr_asked_t w_out;
  cairn_int_pkg::mr_look_t  look;
  logic                     s2_q, s3_q, done;    // the record is here; what it says; its answer is formed
  if (FAST) begin : g_queues
    logic [$clog2(DEPTH+1)-1:0] inside_q;
    logic                       leave;
    assign room  = inside_q != ($clog2(DEPTH+1))'(DEPTH);
    assign leave = out_valid_o && out_ready_i;
    sync_fifo #(.WIDTH(cairn_int_pkg::MR_ASKED_W), .DEPTH(DEPTH)) u_wait (
        .clk_i, .rst_ni, .in_valid_i(take), .in_ready_o(), .in_data_i({gnt_idx, req}),
        .out_valid_o(), .out_ready_i(done), .out_data_o(w_out));
    sync_fifo #(.WIDTH(cairn_int_pkg::MR_LOOK_W), .DEPTH(DEPTH)) u_out (
        .clk_i, .rst_ni, .in_valid_i(done), .in_ready_o(), .in_data_i(look),
        .out_valid_o, .out_ready_i, .out_data_o(out_o));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) inside_q <= '0;
      else inside_q <= inside_q + ($clog2(DEPTH+1))'(take) - ($clog2(DEPTH+1))'(leave);
    end
    assign idle_o = inside_q == '0;      // (who asks is not idle)
  end else begin : g_one
    logic busy_q;
    // (whether an answer goes now is known late in the cycle)
    assign room = !busy_q && !(LATE ? s3_q && out_valid_o : out_valid_o);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        busy_q      <= 1'b0;
        out_valid_o <= 1'b0;
      end else begin
        busy_q      <= take || (busy_q && !s2_q);
        out_valid_o <= done || (out_valid_o && !out_ready_i);
      end
      if (take) w_out <= {gnt_idx, req};
      if (done) out_o <= look;
    end
    assign idle_o = !busy_q && !s3_q && !out_valid_o;      // (who asks is not idle)
  end

  // ---- answer, record: what it says of the request ----
  logic [2:0]              st_q;
  cairn_int_pkg::mr_req_t  c;
  cairn_hw_pkg::mpt_t      m;
  cairn_int_pkg::mr_says_t now, r;
  assign mpt_slot_o = ctx_i.slot[AW-1:0];
  assign c          = w_out.req;
  assign m          = mpt_data_i;

  logic        zero_based;
  logic [1:0]  page;
  logic [29:0] in_page;
  logic [7:0]  need, inv_err;
  assign zero_based = (m.flags_access & cairn_hw_pkg::ACCESS_ZERO_BASED) != '0;
  assign page       = {m.flags_page_log2[4] && m.flags_page_log2[2],
                       m.flags_page_log2[4] && (m.flags_page_log2[1] || !m.flags_page_log2[2])};
  // Remote writes need LOCAL_WRITE too; a window's region was asked when it was bound.
  assign need       = c.rights | ((c.remote && !m.flags_window
                                  && (c.rights & (cairn_hw_pkg::ACCESS_REMOTE_WRITE
                                  | cairn_hw_pkg::ACCESS_REMOTE_ATOMIC)) != '0)
                                  ? cairn_hw_pkg::ACCESS_LOCAL_WRITE : 8'h0);
  mr_inv_rule u_inv (.mpt_i(m), .key_i(c.key), .pd_i(c.pd), .qpn_i(c.qpn), .remote_i(1'b1),
      .vendor_o(inv_err));
  function automatic logic [29:0] page_bits(input logic [1:0] size);    // bits of an address in a page
    page_bits = {{9{size == 2'd3}}, {5{size[1]}}, {4{size != 2'd0}}, 12'hfff};
  endfunction
  always_comb begin
    {now.below, now.off} = {1'b0, c.va} - {1'b0, zero_based ? 64'h0 : m.base};
    now.lead       = m.base[29:0] & page_bits(page);
    now.map        = m.map;
    now.length     = m.length;
    now.page       = page;
    now.paged      = m.flags_mode == cairn_hw_pkg::MR_MODE_PAGED;
    now.func       = m.flags_func;
    now.none       = m.flags_mode == cairn_hw_pkg::MR_MODE_FREE || m.flags_freed;
    now.bad_key    = m.key != c.key;
    now.bad_pd     = m.pd != c.pd || (m.flags_window && m.flags_type2 && m.qpn != {8'h0, c.qpn});
    now.bad_rights = (m.flags_access & need) != need || (m.flags_window && !c.remote);
    now.inv_err    = inv_err;
    now.result     = st_q;
  end
  if (!LATE) begin : g_at_once
    assign {s3_q, r} = {s2_q, now};
    assign done = s3_q;
  end else begin : g_then
    assign done = s3_q && !out_valid_o;
    always_ff @(posedge clk_i) begin
      s3_q <= rst_ni && (s2_q || (s3_q && !done));
      if (s2_q) r <= now;
    end
  end

  // ---- where it is, and whether it may ----
  logic [63:0] walk;            // from the beginning of the first page
  logic [64:0] ends;
  logic        bad_bounds, may_cross, crosses;
  logic [11:0] in_low;
  logic [12:0] room_low, end_low;
  logic [51:0] page_no;
  assign ends       = {1'b0, r.off} + {33'h0, c.chk_len};
  assign walk       = r.off + {34'h0, r.lead};
  assign in_page    = walk[29:0] & page_bits(r.page);
  assign bad_bounds = r.below || ends > {1'b0, r.length};
  always_comb begin
    case (r.page)
      2'd0:    page_no = walk[63:12];
      2'd1:    page_no = {4'h0, walk[63:16]};
      2'd2:    page_no = {9'h0, walk[63:21]};
      default: page_no = {18'h0, walk[63:30]};
    endcase
  end
  // The bytes go on in the next page: the offset is in the last 4 K, which they cross.
  assign in_low    = walk[11:0];
  assign room_low  = 13'h1000 - {1'b0, in_low};
  assign end_low   = {1'b0, in_low} + (c.len - 13'h1);     // of the last byte: bit 12 comes sooner than a comparison
  // (what the size of the page decides is asked for last)
  assign may_cross = r.paged && !c.inv && c.len != '0 && end_low[12];
  assign crosses   = may_cross && (r.page == 2'd0 || (walk[15:12] == '1 && (!r.page[1] || (walk[20:16] == '1
                     && (!r.page[0] || walk[29:21] == '1)))));

  cairn_int_pkg::mrs_t verdict;
  logic [7:0]          vendor;
  always_comb begin
    verdict = cairn_int_pkg::MRS_ERR;
    vendor  = '0;
    if (r.result == cairn_hw_pkg::CTX_RESULT_WAITING || r.result == cairn_hw_pkg::CTX_RESULT_RETRY) begin
      verdict = cairn_int_pkg::MRS_MISS;
    end else if (r.result == cairn_hw_pkg::CTX_RESULT_FREE) begin
      vendor = cairn_hw_pkg::VENDOR_ERR_KEY_INDEX;
    end else if (r.result != cairn_hw_pkg::CTX_RESULT_OK) begin
      vendor = cairn_hw_pkg::VENDOR_ERR_CTX_CHECK;
    end else if (c.inv) begin
      verdict = (r.inv_err == cairn_hw_pkg::VENDOR_ERR_NONE) ? cairn_int_pkg::MRS_OK : cairn_int_pkg::MRS_ERR;
      vendor  = r.inv_err;
    end else if (r.none || r.bad_key) begin
      vendor = r.none ? cairn_hw_pkg::VENDOR_ERR_KEY_INDEX : cairn_hw_pkg::VENDOR_ERR_KEY_TAG;
    end else if (r.bad_pd) begin
      vendor = cairn_hw_pkg::VENDOR_ERR_KEY_PD;
    end else if (r.bad_rights) begin
      vendor = cairn_hw_pkg::VENDOR_ERR_KEY_RIGHTS;
    end else if (bad_bounds) begin
      vendor = cairn_hw_pkg::VENDOR_ERR_KEY_BOUNDS;
    end else begin
      verdict = cairn_int_pkg::MRS_OK;
    end
  end
  assign look.client = w_out.client;
  assign look.paged  = r.paged && !c.inv && verdict == cairn_int_pkg::MRS_OK;
  assign look.page   = r.page;
  assign look.at     = r.map + (r.paged ? {12'h0, page_no} : r.off);
  assign look.offset = in_page;
  assign look.status = verdict;
  assign look.vendor = vendor;
  assign look.func   = r.func;
  assign look.len0   = crosses ? room_low : c.len;
  assign look.len1   = crosses ? c.len - room_low : '0;
  assign look.last   = c.last;

  always_ff @(posedge clk_i) begin
    s2_q <= rst_ni && ctx_i.valid;
    st_q <= ctx_i.status;
  end
endmodule
