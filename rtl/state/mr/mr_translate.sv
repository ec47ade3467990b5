// SPDX-License-Identifier: Apache-2.0
// Second half of the MR service: page list entries.
//
// Takes mr_lookup's entries in order. For a paged region it looks up the MTT line of the first page and, when the
// second page's entry lies in another line, that one too (one lookup a cycle), and makes the IOVAs. IBTA 10.6.4.
// Order: answers leave in order, each to its client.
// Errors: an entry that is not VALID: MRS_ERR, KEY_PTE. A line that must be read: MRS_MISS.
module mr_translate #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned DEPTH = 8,
    localparam int unsigned AW    = $clog2(SLOTS)
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  cairn_int_pkg::mr_look_t in_i,
    // MTT cache: key = line number (entry / 8)
    output cairn_int_pkg::ctx_req_t ctx_o,
    input  logic                    ctx_ready_i,
    input  cairn_int_pkg::ctx_rsp_t ctx_i,
    output logic [AW-1:0]           mtt_slot_o,
    input  logic [511:0]            mtt_data_i,
    output logic                    out_valid_o,  // always taken: the client has reserved room
    output logic [1:0]              out_client_o,
    output cairn_int_pkg::mr_rsp_t  out_rsp_o,
    output logic                    idle_o
);
  // ---- lookups ----
  logic                   paged, second_q, two_lines, far;
  logic [63:0]            idx0, idx1;
  logic                   room, need, asked, last_ask;
  assign paged     = in_i.paged;
  assign idx0      = in_i.at;
  assign idx1      = idx0 + 64'h1;
  assign two_lines = in_i.rsp.len1 != '0 && idx0[2:0] == 3'd7;
  // beyond any table: the cache answers FREE for the highest line
  assign far         = (second_q ? idx1[63:27] : idx0[63:27]) != '0;
  assign need        = in_valid_i && paged;
  assign ctx_o.valid = need && room;
  assign ctx_o.key   = far ? '1 : second_q ? idx1[26:3] : idx0[26:3];
  assign asked       = ctx_o.valid && ctx_ready_i;
  assign last_ask    = asked && (!two_lines || second_q);
  assign in_ready_o  = room && (!paged || last_ask);

  // ---- entries waiting for their lines ----
  logic            push, pop, wv;
  cairn_int_pkg::mr_look_t w;
  logic [$clog2(DEPTH+1)-1:0] wlvl;
  assign push = in_valid_i && in_ready_o;
  assign room = wlvl < ($clog2(DEPTH+1))'(DEPTH - 2);
  sync_fifo_level #(.WIDTH(cairn_int_pkg::MR_LOOK_W), .DEPTH(DEPTH)) u_wait (
      .clk_i, .rst_ni, .in_valid_i(push), .in_ready_o(), .in_data_i(in_i),
      .out_valid_o(wv), .out_ready_i(pop), .out_data_o(w), .level_o(wlvl));

  // Answers of the cache in order, with the two entries of the line that are wanted.
  localparam int unsigned LQ = 2 * DEPTH;
  logic          s2_q, lv, l_pop;
  logic [2:0]    st_q, k0, k1;
  cairn_int_pkg::mtt_pair_t l_out;
  assign mtt_slot_o = ctx_i.slot[AW-1:0];
  sync_fifo #(.WIDTH(3), .DEPTH(LQ)) u_at (
      .clk_i, .rst_ni, .in_valid_i(asked), .in_ready_o(), .in_data_i(second_q ? idx1[2:0] : idx0[2:0]),
      .out_valid_o(), .out_ready_i(s2_q), .out_data_o(k0));
  assign k1 = k0 + 3'd1;
  sync_fifo #(.WIDTH(cairn_int_pkg::MTT_PAIR_W), .DEPTH(LQ)) u_lines (
      .clk_i, .rst_ni, .in_valid_i(s2_q), .in_ready_o(),
      .in_data_i({st_q, mtt_data_i[64*k0 +: 64], mtt_data_i[64*k1 +: 64]}),
      .out_valid_o(lv), .out_ready_i(l_pop), .out_data_o(l_out));

  // ---- finish ----
  logic                   wpaged, first_q;
  logic [63:0]            widx;
  logic [4:0]             wlg;
  logic [29:0]            woff;
  cairn_int_pkg::mr_rsp_t wr, o;
  logic [63:0]            pte0, pte1, pte0_now;
  logic                   wtwo, bad_q, miss_q, line_bad, line_miss, done;
  logic [63:0]            pte0_q;
  logic [2:0]             line_st;
  assign wpaged    = w.paged;
  assign wlg       = w.page_log2;
  assign widx      = w.at;
  assign woff      = w.offset;
  assign wr        = w.rsp;
  assign wtwo      = wr.len1 != '0 && widx[2:0] == 3'd7;
  assign line_st   = l_out.status;
  assign line_miss = line_st == cairn_hw_pkg::CTX_RESULT_WAITING || line_st == cairn_hw_pkg::CTX_RESULT_RETRY;
  assign line_bad  = !line_miss && line_st != cairn_hw_pkg::CTX_RESULT_OK;
  assign pte0_now  = l_out.entry;
  assign pte0      = first_q ? pte0_q : pte0_now;
  assign pte1      = first_q ? l_out.entry : l_out.behind;
  assign l_pop     = wv && wpaged && lv;
  assign done      = wv && (!wpaged || (lv && (!wtwo || first_q)));
  assign pop       = done;
  logic any_miss, any_bad;
  assign any_miss  = wpaged && (line_miss || (first_q && miss_q));
  assign any_bad   = wpaged && (line_bad || (first_q && bad_q) || !pte0[cairn_hw_pkg::MTT_PTE_VALID_LSB]
                                || (wr.len1 != '0 && !pte1[cairn_hw_pkg::MTT_PTE_VALID_LSB]));
  logic [63:0] mask;
  assign mask = (64'h1 << wlg) - 64'h1;
  always_comb begin
    o = wr;
    if (wpaged) begin
      o.iova0 = (pte0 & ~mask) | {34'h0, woff};
      o.iova1 = pte1 & ~mask;
      if (any_miss) begin
        o.status = cairn_int_pkg::MRS_MISS;
      end else if (any_bad) begin
        o.status = cairn_int_pkg::MRS_ERR;
        o.vendor = cairn_hw_pkg::VENDOR_ERR_KEY_PTE;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      second_q    <= 1'b0;
      s2_q        <= 1'b0;
      first_q     <= 1'b0;
      out_valid_o <= 1'b0;
    end else begin
      if (asked) second_q <= two_lines && !second_q;
      s2_q <= ctx_i.valid;
      if (l_pop) first_q <= wtwo && !first_q;
      out_valid_o <= done;
    end
    st_q <= ctx_i.status;
    if (l_pop && !first_q) begin
      pte0_q <= pte0_now;
      miss_q <= line_miss;
      bad_q  <= line_bad;
    end
    out_client_o <= w.client;
    out_rsp_o    <= o;
  end
  assign idle_o = !wv && !in_valid_i && !out_valid_o && !s2_q;
endmodule
