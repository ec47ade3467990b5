// SPDX-License-Identifier: Apache-2.0
// Reads ring entries of shared receive queues ahead: {SRQ, address, entries} is one DMA read of up to 16 entries.
//
// Entries of 32 bits, all in one 64-byte line. Several reads are under way; their entries come out one a cycle, in the
// order of the starts. srq_state -> srq_ring -> srq_state; reads: client CLIENT with tags TAG and up, shared with
// rqe_fetch.
// Errors: a failed read gives its entries with err; so does one whose bytes come in pieces that no completer may make
// of a line (PCIe base specification 2.3.1.1).
module srq_ring #(
    parameter int unsigned DATA_W    = 512,
    parameter int unsigned SRQS_LOG2 = 4,
    parameter int unsigned BUFS      = 8,
    parameter int unsigned CLIENT    = cairn_int_pkg::RD_RQE,
    parameter int unsigned TAG       = 'h800
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      epoch_i,
    input  cairn_int_pkg::srq_read_t  start_i,
    output logic                      start_ready_o,
    output cairn_int_pkg::dma_read_t  rd_o,
    input  logic                      rd_ready_i,
    input  cairn_int_pkg::dma_beat_t  beat_i,
    input  logic [DATA_W-1:0]         beat_data_i,
    output cairn_int_pkg::srq_entry_t ent_o,
    input  logic                      ent_ready_i,
    output logic                      idle_o
);
  localparam int unsigned BW    = $clog2(BUFS);
  localparam int unsigned LANES = DATA_W / 32;
  localparam int unsigned OFF_W = $clog2(DATA_W / 8);

  if ((1 << BW) != BUFS || LANES > 16) begin : g_chk
    $error("srq_ring: BUFS must be a power of two, DATA_W at most 512");
  end

  // ---- buffers, used in turn ----
  logic [BW:0]   put_q, get_q;
  logic [BUFS-1:0] done, fail;
  logic [4:0]    count [0:BUFS-1];
  logic [SRQS_LOG2-1:0] who [0:BUFS-1];
  logic [BW-1:0] put, get;
  logic          start, room;
  logic [3:0]    pos_q;
  logic          rd_ready;
  assign put           = put_q[BW-1:0];
  assign get           = get_q[BW-1:0];
  assign room          = put_q - get_q != (BW+1)'(BUFS);
  assign start_ready_o = room && rd_ready;
  assign start         = start_i.valid && start_ready_o;
  always_ff @(posedge clk_i) if (start) count[put] <= start_i.n;
  always_ff @(posedge clk_i) if (start) who[put] <= start_i.srqn[SRQS_LOG2-1:0];

  cairn_int_pkg::dma_rd_t rd;
  always_comb begin
    rd       = '0;
    rd.iova  = start_i.iova;
    rd.len   = cairn_int_pkg::LEN_W'({start_i.n, 2'b00});
    rd.tag   = cairn_int_pkg::RTAG_W'(TAG) | cairn_int_pkg::RTAG_W'(put);
    rd.epoch = epoch_i;
  end
  stream_reg #(.WIDTH(cairn_int_pkg::DMA_RD_W)) u_rd (
      .clk_i, .rst_ni, .in_valid_i(start_i.valid && room), .in_ready_o(rd_ready), .in_data_i(rd),
      .out_valid_o(rd_o.valid), .out_ready_i(rd_ready_i), .out_data_o(rd_o.req));

  // ---- data: 16 banks. Ring and entries are aligned to words, so skip is 0; a line comes in one completion, so a word
  // has its place in the beats ----
  cairn_int_pkg::dma_rsp_t rsp;
  logic          mine, odd;
  logic [BW-1:0] r_buf;
  logic [16*32-1:0] words;
  assign rsp   = beat_i.meta;
  assign mine  = beat_i.valid && rsp.client == 4'(CLIENT) && rsp.tag[11:BW] == (12-BW)'(TAG >> BW);
  assign r_buf = rsp.tag[BW-1:0];
  assign odd   = rsp.nbytes != '0 && rsp.offset[OFF_W-1:0] != '0;
  for (genvar b = 0; b < 16; b++) begin : g_bank
    logic [31:0] mem [0:BUFS-1];
    logic        we;
    assign we = mine && rsp.offset[5:2] >> (OFF_W - 2) == 4'(b / LANES) && 7'(4 * (b % LANES)) < rsp.nbytes;
    always_ff @(posedge clk_i) if (we) mem[r_buf] <= beat_data_i[32*(b%LANES) +: 32];
    assign words[32*b +: 32] = mem[get];
  end

  for (genvar b = 0; b < BUFS; b++) begin : g_buf
    logic done_q, fail_q, comes;
    assign {done[b], fail[b]} = {done_q, fail_q};
    assign comes = mine && r_buf == BW'(b);
    always_ff @(posedge clk_i) begin
      if (start && put == BW'(b)) {done_q, fail_q} <= '0;
      else if (comes) {done_q, fail_q} <= {rsp.last, fail_q || odd || (rsp.last && rsp.err)};
    end
  end

  // ---- entries ----
  logic last;
  assign ent_o.valid = put_q != get_q && done[get];
  assign ent_o.srqn  = 8'(who[get]);
  assign ent_o.slot  = words[32*pos_q +: 32];
  assign ent_o.err   = fail[get];
  assign last        = 5'(pos_q) + 5'd1 == count[get];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      put_q <= '0;
      get_q <= '0;
      pos_q <= '0;
    end else begin
      if (start) put_q <= put_q + 1'b1;
      if (ent_o.valid && ent_ready_i) begin
        pos_q <= last ? '0 : pos_q + 1'b1;
        if (last) get_q <= get_q + 1'b1;
      end
    end
  end
  assign idle_o = put_q == get_q && !rd_o.valid;
endmodule
