// SPDX-License-Identifier: Apache-2.0
// Links between the cells of the RX pool: of each cell the next one of its packet, of each first cell their number and
// whether the packet is a response.
//
// Four readers: the pool's read side, which begins a packet (head) and looks up a link ahead (after), and rx_cell_free,
// which gives back a packet that nobody has read (count) or its cells one by one (next). At 512 bits each has a RAM of
// its own. Below 256 there is one for all: a cell lasts for 16 beats and more, so they seldom meet.
// Order: data follows by one cycle and stands until the reader's next question. Head is always taken; after is too, but
//   beside a head, which begins another packet and has no use for it. The others with their ready: count, then next.
// Owns: the links; one writer, rx_buffer. Errors: none.
module rx_links #(
    parameter int unsigned CELLS  = 1024,
    parameter int unsigned SHARED = 0,
    localparam int unsigned IDX_W = $clog2(CELLS),
    localparam int unsigned CNT_W = 5
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  cairn_int_pkg::pool_write_t write_i,
    input  logic                       write_rsp_i,    // of count's packet
    input  logic                       head_re_i,
    input  logic [IDX_W-1:0]           head_cell_i,
    output logic [IDX_W-1:0]           head_next_o,
    output logic [CNT_W-1:0]           head_count_o,
    input  logic                       after_re_i,
    input  logic [IDX_W-1:0]           after_cell_i,
    output logic [IDX_W-1:0]           after_next_o,
    input  logic                       count_re_i,
    output logic                       count_ready_o,
    input  logic [IDX_W-1:0]           count_cell_i,
    output logic [CNT_W-1:0]           count_o,
    input  logic                       next_re_i,
    output logic                       next_ready_o,
    input  logic [IDX_W-1:0]           next_cell_i,
    output logic [IDX_W-1:0]           next_o,
    output logic                       next_rsp_o      // in the one cycle behind the question
);
  logic [IDX_W-1:0] link_cell, link, count_cell;
  logic [CNT_W-1:0] count;
  assign link_cell  = write_i.next_addr[IDX_W-1:0];
  assign link       = write_i.next_data[IDX_W-1:0];
  assign count_cell = write_i.count_addr[IDX_W-1:0];
  assign count      = write_i.count_data;

  if (SHARED == 0) begin : g_each
    assign {count_ready_o, next_ready_o} = 2'b11;
    ram_1r1w #(.WIDTH(IDX_W), .DEPTH(CELLS), .BYPASS(1)) u_head_next (
        .clk_i, .we_i(write_i.next_we), .waddr_i(link_cell), .wdata_i(link),
        .re_i(head_re_i), .raddr_i(head_cell_i), .rdata_o(head_next_o));
    ram_1r1w #(.WIDTH(CNT_W), .DEPTH(CELLS), .BYPASS(1)) u_head_count (
        .clk_i, .we_i(write_i.count_we), .waddr_i(count_cell), .wdata_i(count),
        .re_i(head_re_i), .raddr_i(head_cell_i), .rdata_o(head_count_o));
    ram_1r1w #(.WIDTH(IDX_W), .DEPTH(CELLS), .BYPASS(1)) u_after (
        .clk_i, .we_i(write_i.next_we), .waddr_i(link_cell), .wdata_i(link),
        .re_i(after_re_i), .raddr_i(after_cell_i), .rdata_o(after_next_o));
    ram_1r1w #(.WIDTH(CNT_W), .DEPTH(CELLS), .BYPASS(1)) u_count (
        .clk_i, .we_i(write_i.count_we), .waddr_i(count_cell), .wdata_i(count),
        .re_i(count_re_i), .raddr_i(count_cell_i), .rdata_o(count_o));
    ram_1r1w #(.WIDTH(IDX_W), .DEPTH(CELLS), .BYPASS(1)) u_next (
        .clk_i, .we_i(write_i.next_we), .waddr_i(link_cell), .wdata_i(link),
        .re_i(next_re_i), .raddr_i(next_cell_i), .rdata_o(next_o));
    ram_1r1w #(.WIDTH(1), .DEPTH(CELLS), .BYPASS(2)) u_class (
        .clk_i, .we_i(write_i.count_we), .waddr_i(count_cell), .wdata_i(write_rsp_i),
        .re_i(next_re_i), .raddr_i(next_cell_i), .rdata_o(next_rsp_o));
    logic unused;
    assign unused = rst_ni;
  end else begin : g_shared
    localparam int unsigned COL = (IDX_W > 8) ? IDX_W : 8;
    // ---- a number of cells waits while a link is written, which comes once in a cell
    logic             late_q, late_rsp_q, count_we;
    logic [IDX_W-1:0] late_cell_q, waddr;
    logic [CNT_W-1:0] late_count_q;
    logic [COL-1:0]   about;
    assign count_we = (write_i.count_we || late_q) && !write_i.next_we;
    assign waddr    = write_i.next_we ? link_cell : late_q ? late_cell_q : count_cell;
    assign about    = late_q ? COL'({late_rsp_q, late_count_q}) : COL'({write_rsp_i, count});
    always_ff @(posedge clk_i) begin
      if (!rst_ni) late_q <= 1'b0;
      else late_q <= write_i.next_we && (write_i.count_we || late_q);
      if (!late_q) {late_rsp_q, late_count_q, late_cell_q} <= {write_rsp_i, count, count_cell};
    end
`ifdef VERILATOR
    always_ff @(posedge clk_i) if (rst_ni && late_q && write_i.count_we) $error("rx_links: a number of cells is lost");
`endif

    // ---- one question a cycle; its answer is kept for who asked
    logic               cnt, next, head_q, after_q, count_q, next_q;
    logic [IDX_W-1:0]   raddr, got_next, head_next_q, after_next_q, next_kept_q;
    logic [CNT_W-1:0]   got_count, head_count_q, count_kept_q;
    logic [2*COL-1:0]   got;
    assign count_ready_o = !after_re_i && !head_re_i;
    assign next_ready_o  = !after_re_i && !head_re_i && !count_re_i;
    assign cnt           = count_re_i && count_ready_o;
    assign next          = next_re_i && next_ready_o;
    assign raddr         = head_re_i ? head_cell_i : after_re_i ? after_cell_i
                           : count_re_i ? count_cell_i : next_cell_i;
    ram_1r1w #(.WIDTH(2 * COL), .DEPTH(CELLS), .COL_W(COL), .BYPASS(2)) u_links (
        .clk_i, .we_i({count_we, write_i.next_we}), .waddr_i(waddr), .wdata_i({about, COL'(link)}),
        .re_i(after_re_i || head_re_i || count_re_i || next_re_i), .raddr_i(raddr), .rdata_o(got));
    assign got_next     = got[IDX_W-1:0];
    assign got_count    = got[COL +: CNT_W];
    assign next_rsp_o   = got[COL + CNT_W];
    assign head_next_o  = head_q ? got_next : head_next_q;
    assign head_count_o = head_q ? got_count : head_count_q;
    assign after_next_o = after_q ? got_next : after_next_q;
    assign count_o      = count_q ? got_count : count_kept_q;
    assign next_o       = next_q ? got_next : next_kept_q;
    always_ff @(posedge clk_i) begin
      {head_q, after_q, count_q, next_q} <= {4{rst_ni}} & {head_re_i, after_re_i && !head_re_i, cnt, next};
      {head_next_q, head_count_q}        <= {head_next_o, head_count_o};
      after_next_q                       <= after_next_o;
      count_kept_q                       <= count_o;
      next_kept_q                        <= next_o;
    end
    logic unused;
    assign unused = ^{got[2*COL-1:COL+CNT_W+1], got[COL-1:0]};
  end
endmodule
