// SPDX-License-Identifier: Apache-2.0
// Second half of the MR service: page list entries.
//
// Takes mr_lookup's entries in order. For a paged region it looks up the MTT line of the first page and, when the
// second page's entry lies in another line, that one too (one lookup a cycle), and makes the IOVAs. IBTA 10.6.4.
// FAST = 0: one entry at a time. The cache's RAM is read entry by entry (mtt_word_o, data in mtt_data_i[63:0]): one in
//   the cycle of the cache's answer, the next one in the cycle behind it. Cycles: 1, of a paged region 5, with two
//   pages up to 10.
// Order: answers leave in order, each to its client.
// Errors: an entry that is not VALID: MRS_ERR, KEY_PTE. A line that must be read: MRS_MISS.
module mr_translate #(
    parameter int unsigned SLOTS = 128,
    parameter int unsigned DEPTH = 8,
    parameter bit          FAST  = 1'b1,
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
    output logic [2:0]              mtt_word_o,
    input  logic [511:0]            mtt_data_i,
    output logic                    out_valid_o,  // always taken: the client has reserved room
    output logic [1:0]              out_client_o,
    output cairn_int_pkg::mr_rsp_t  out_rsp_o,
    output logic                    idle_o
);
  // ---- lookups ----
  logic        second_q, two_lines, far;
  logic [63:0] idx0, idx1;
  logic        asked;
  assign idx0      = in_i.at;
  assign idx1      = idx0 + 64'h1;
  assign two_lines = in_i.len1 != '0 && idx0[2:0] == 3'd7;
  // beyond any table: the cache answers FREE for the highest line
  assign far       = (second_q ? idx1[63:27] : idx0[63:27]) != '0;
  assign ctx_o.key = far ? '1 : second_q ? idx1[26:3] : idx0[26:3];
  assign asked     = ctx_o.valid && ctx_ready_i;

  // ---- the answer, with the entries of its pages ----
  cairn_int_pkg::mr_look_t w;
  cairn_int_pkg::mr_rsp_t  o;
  logic [63:0]             pte0, pte1;
  logic                    any_miss, any_bad, line_miss, line_bad, bad_q, miss_q;
  logic [2:0]              line_st;
  logic [29:0]             mask;
  assign mask      = {{9{w.page == 2'd3}}, {5{w.page[1]}}, {4{w.page != 2'd0}}, 12'hfff};
  assign line_miss = line_st == cairn_hw_pkg::CTX_RESULT_WAITING || line_st == cairn_hw_pkg::CTX_RESULT_RETRY;
  assign line_bad  = !line_miss && line_st != cairn_hw_pkg::CTX_RESULT_OK;
  always_comb begin
    o.status = w.status;
    o.vendor = w.vendor;
    o.func   = w.func;
    o.iova0  = w.paged ? (pte0 & {34'h3_ffff_ffff, ~mask}) | {34'h0, w.offset} : w.at;
    o.len0   = w.len0;
    o.iova1  = pte1 & {34'h3_ffff_ffff, ~mask};
    o.len1   = w.len1;
    o.last   = w.last;
    if (any_miss) begin
      o.status = cairn_int_pkg::MRS_MISS;
    end else if (any_bad) begin
      o.status = cairn_int_pkg::MRS_ERR;
      o.vendor = cairn_hw_pkg::VENDOR_ERR_KEY_PTE;
    end
  end

  cairn_int_pkg::mtt_pair_t l_out;   // of the queues
  if (FAST) begin : g_queues
    // ---- entries waiting for their lines ----
    logic room, last_ask, push, pop, wv, s2_q;
    logic [$clog2(DEPTH+1)-1:0] wlvl;
    assign ctx_o.valid = in_valid_i && in_i.paged && room;
    assign last_ask    = asked && (!two_lines || second_q);
    assign in_ready_o  = room && (!in_i.paged || last_ask);
    assign push        = in_valid_i && in_ready_o;
    assign room        = wlvl < ($clog2(DEPTH+1))'(DEPTH - 2);
    sync_fifo_level #(.WIDTH(cairn_int_pkg::MR_LOOK_W), .DEPTH(DEPTH)) u_wait (
        .clk_i, .rst_ni, .in_valid_i(push), .in_ready_o(), .in_data_i(in_i),
        .out_valid_o(wv), .out_ready_i(pop), .out_data_o(w), .level_o(wlvl));

    // Answers of the cache in order, with the two entries of the line that are wanted.
    localparam int unsigned LQ = 2 * DEPTH;
    logic       lv, l_pop;
    logic [2:0] st_q, k0, k1;
    assign mtt_slot_o = ctx_i.slot[AW-1:0];
    assign mtt_word_o = '0;
    sync_fifo #(.WIDTH(3), .DEPTH(LQ)) u_at (
        .clk_i, .rst_ni, .in_valid_i(asked), .in_ready_o(), .in_data_i(second_q ? idx1[2:0] : idx0[2:0]),
        .out_valid_o(), .out_ready_i(s2_q), .out_data_o(k0));
    assign k1 = k0 + 3'd1;
    sync_fifo #(.WIDTH(cairn_int_pkg::MTT_PAIR_W), .DEPTH(LQ)) u_lines (
        .clk_i, .rst_ni, .in_valid_i(s2_q), .in_ready_o(),
        .in_data_i({st_q, mtt_data_i[64*k0 +: 64], mtt_data_i[64*k1 +: 64]}),
        .out_valid_o(lv), .out_ready_i(l_pop), .out_data_o(l_out));

    // ---- finish ----
    logic        first_q, wtwo;
    logic [63:0] pte0_q;
    assign wtwo     = w.len1 != '0 && w.at[2:0] == 3'd7;
    assign line_st  = l_out.status;
    assign pte0     = first_q ? pte0_q : l_out.entry;
    assign pte1     = first_q ? l_out.entry : l_out.behind;
    assign l_pop    = wv && w.paged && lv;
    assign pop      = wv && (!w.paged || (lv && (!wtwo || first_q)));
    assign any_miss = w.paged && (line_miss || (first_q && miss_q));
    assign any_bad  = w.paged && (line_bad || (first_q && bad_q) || !pte0[cairn_hw_pkg::MTT_PTE_VALID_LSB]
                                  || (w.len1 != '0 && !pte1[cairn_hw_pkg::MTT_PTE_VALID_LSB]));
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
        out_valid_o <= pop;
      end
      st_q <= ctx_i.status;
      if (l_pop && !first_q) begin
        pte0_q <= l_out.entry;
        miss_q <= line_miss;
        bad_q  <= line_bad;
      end
      out_client_o <= w.client;
      out_rsp_o    <= o;
    end
    assign idle_o = !wv && !in_valid_i && !out_valid_o && !s2_q;
  end else begin : g_one
    // What is known of the first page is in the answer already when the second one comes.
    typedef enum logic [1:0] {T_ASK, T_WAIT, T_FIRST, T_SECOND} state_e;
    state_e        state_q;
    logic          two, done;
    logic [AW-1:0] slot_q;
    assign w           = in_i;
    assign two         = in_i.len1 != '0;
    assign ctx_o.valid = in_valid_i && in_i.paged && state_q == T_ASK;
    assign done        = state_q == T_ASK ? in_valid_i && !in_i.paged
                         : state_q == T_FIRST ? !two : state_q == T_SECOND;
    assign in_ready_o  = done;
    assign mtt_slot_o  = state_q == T_WAIT ? ctx_i.slot[AW-1:0] : slot_q;
    assign mtt_word_o  = (state_q == T_WAIT && !second_q) ? idx0[2:0] : idx1[2:0];
    assign pte0        = mtt_data_i[63:0];
    assign pte1        = mtt_data_i[63:0];
    logic line_q;                    // the line that was asked for last is not here
    assign any_miss    = w.paged && (miss_q || (line_q && line_miss));
    assign any_bad     = w.paged && (bad_q || (line_q && line_bad) || !pte0[cairn_hw_pkg::MTT_PTE_VALID_LSB]);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        state_q     <= T_ASK;
        second_q    <= 1'b0;
        out_valid_o <= 1'b0;
      end else begin
        case (state_q)
          T_ASK:   if (asked) state_q <= T_WAIT;
          T_WAIT:  if (ctx_i.valid) state_q <= second_q ? T_SECOND : T_FIRST;
          T_FIRST: state_q <= !two ? T_ASK : two_lines ? T_ASK : T_SECOND;
          default: state_q <= T_ASK;
        endcase
        second_q    <= (state_q == T_FIRST && two_lines) || (second_q && state_q != T_SECOND);
        out_valid_o <= done;
      end
      if (state_q == T_WAIT) begin
        slot_q  <= ctx_i.slot[AW-1:0];
        line_st <= ctx_i.status;
        line_q  <= 1'b1;
      end
      if (state_q == T_ASK && !second_q) {miss_q, bad_q, line_q} <= '0;
      else if (state_q == T_FIRST) {miss_q, bad_q} <= {any_miss, any_bad};
      out_client_o <= w.client;
      {out_rsp_o.func, out_rsp_o.len0, out_rsp_o.len1, out_rsp_o.last} <= {o.func, o.len0, o.len1, o.last};
      {out_rsp_o.status, out_rsp_o.vendor} <= {o.status, o.vendor};
      if (state_q == T_ASK ? !second_q : state_q == T_FIRST) out_rsp_o.iova0 <= o.iova0;
      if (state_q == T_SECOND) out_rsp_o.iova1 <= o.iova1;
    end
    assign idle_o = state_q == T_ASK && !in_valid_i && !out_valid_o;
    assign l_out  = '0;
    logic unused;
    assign unused = ^{mtt_data_i[511:64], l_out};
  end
endmodule
