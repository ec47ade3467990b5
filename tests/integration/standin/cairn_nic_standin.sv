// SPDX-License-Identifier: Apache-2.0
// A small stand-in for cairn_nic with the same ports, to test the simulator alone.  It executes descriptors (copy
// host memory, send a frame), writes received frames to host memory, has a timer, interrupts by MSI-X, takes FLR.
// Works on whole DWs, one job at a time.  Registers, descriptor and records: standin.h.
module cairn_nic_standin #(
    parameter int unsigned DATA_W = 64,
    localparam int unsigned DWS = DATA_W / 32,
    localparam int unsigned NB_W = $clog2(DATA_W / 8) + 1
) (
    input  logic              clk_i, rst_ni,
    input  logic [63:0]       time_now_i,
    input  logic              tlp_rx_valid_i, tlp_rx_sop_i, tlp_rx_last_i,
    output logic              tlp_rx_ready_o,
    input  logic [127:0]      tlp_rx_hdr_i,
    input  logic [2:0]        tlp_rx_bar_i,
    input  logic [DATA_W-1:0] tlp_rx_data_i,
    output logic              tlp_tx_valid_o, tlp_tx_sop_o, tlp_tx_last_o,
    input  logic              tlp_tx_ready_i,
    output logic [127:0]      tlp_tx_hdr_o,
    output logic [DATA_W-1:0] tlp_tx_data_o,
    input  logic [2:0]        tlp_credit_i,
    input  logic              cfg_bme_i,
    input  logic [2:0]        cfg_mps_i, cfg_mrrs_i,
    input  logic [15:0]       cfg_reqid_i,
    input  logic              cfg_ext_tag_i, cfg_relaxed_i,
    input  logic              cfg_msix_en_i, cfg_msix_fmask_i,
    input  logic              cfg_flr_i,
    output logic              cfg_flr_done_o,
    input  logic              mac_rx_valid_i, mac_rx_last_i, mac_rx_err_i,
    input  logic [DATA_W-1:0] mac_rx_data_i,
    input  logic [NB_W-1:0]   mac_rx_nbytes_i,
    output logic              mac_tx_valid_o, mac_tx_last_o, mac_tx_err_o,
    input  logic              mac_tx_ready_i,
    output logic [DATA_W-1:0] mac_tx_data_o,
    output logic [NB_W-1:0]   mac_tx_nbytes_o,
    input  logic [47:0]       mac_addr_i,
    input  logic              mac_link_i,
    input  logic [15:0]       mac_eth_mtu_i, mac_gbps_i,
    output logic              idle_o, deadline_valid_o, uart_valid_o,
    output logic [63:0]       deadline_o,
    output logic [7:0]        uart_data_o
);
  localparam logic [31:0] OP_COPY = 32'd0, OP_SEND = 32'd1;  // 2: send with a bad FCS
  localparam int unsigned CHUNK_DW = 1024;  // copied at a time
  localparam int unsigned SLOT_DW = 2048;   // receive slot
  localparam logic [4:0] IRQ_TIMER = 5'd1, IRQ_RX = 5'd2;

  typedef enum logic [3:0] {
    IDLE, DESC, NEXT, READ, READ_WAIT, WRITE, WRITE_DATA, SEND, RECORD, RX_HEAD, RX_DONE, IRQ
  } state_e;
  state_e state_q, after_q;

  logic flr_q, run_n;
  assign run_n = rst_ni && !flr_q;

  // ---- requests from the host
  logic        req_valid, cpl_valid, cpl_ready, db_valid, timer_set, bar_cpl_taken;
  logic [63:0] bar_cpl_data, db_addr, timer_new, rx_base, irq_addr;
  logic [31:0] timer_period, irq_data, irq_mask, pend_q;
  logic [4:0]  irq_index;
  logic [63:0] rx_packets, rx_bytes, rx_dropped, tx_packets_q, tx_bytes_q, doorbells_q, irqs_q;
  cairn_hw_pkg::tlp_mem_t rx_mem;
  cairn_hw_pkg::tlp_cpl_t rx_cpl, bar_cpl;

  assign tlp_rx_ready_o = 1'b1;
  assign rx_mem    = tlp_rx_hdr_i;
  assign rx_cpl    = tlp_rx_hdr_i[127:32];
  assign req_valid = tlp_rx_valid_i && tlp_rx_sop_i && !flr_q;

  standin_bar #(.DATA_W(DATA_W)) u_bar (
      .clk_i, .rst_ni(run_n), .time_now_i, .req_valid_i(req_valid), .req_hdr_i(rx_mem),
      .req_bar_i(tlp_rx_bar_i), .req_data_i(tlp_rx_data_i[63:0]), .cpl_valid_o(cpl_valid),
      .cpl_ready_i(bar_cpl_taken), .cpl_hdr_o(bar_cpl), .cpl_data_o(bar_cpl_data), .cfg_reqid_i,
      .doorbell_valid_o(db_valid), .doorbell_o(db_addr), .timer_set_o(timer_set), .timer_o(timer_new),
      .timer_period_o(timer_period), .rx_base_o(rx_base), .uart_valid_o, .uart_data_o,
      .irq_index_i(irq_index), .irq_addr_o(irq_addr), .irq_data_o(irq_data), .irq_mask_o(irq_mask),
      .irq_pending_i(pend_q), .rx_packets_i(rx_packets), .rx_bytes_i(rx_bytes),
      .tx_packets_i(tx_packets_q), .tx_bytes_i(tx_bytes_q), .rx_dropped_i(rx_dropped),
      .doorbells_i(doorbells_q), .irqs_i(irqs_q));

  // ---- doorbells: 16 descriptors may wait
  logic [63:0] db_q [0:15];
  logic [3:0]  db_wp_q, db_rp_q;
  logic [4:0]  db_n_q;

  // ---- one job
  logic [31:0] buf_q [0:SLOT_DW-1];
  logic [63:0] desc_q, rd_addr_q, wr_addr_q, src_q, dst_q;
  logic [31:0] op_q, vector_q, left_q, seq_q, frame_seq_q;
  logic [31:0] len_q;
  logic [11:0] rd_left_q, rd_off_q, rd_wait_q, wr_left_q, wr_off_q, tlp_left_q;
  logic        err_q, wr_rx_q;
  logic [3:0]  tag_q;
  logic [11:0] tag_off_q [0:15];
  logic [11:0] tag_left_q [0:15];
  logic [15:0] stale_q;  // read before a function reset: its completions are thrown away

  // ---- receive
  logic        rx_frame, rx_busy;
  logic [13:0] rx_len;
  logic [63:0] rx_time;
  logic [DATA_W-1:0] rx_data;

  // ---- sizes
  function automatic logic [11:0] to_page(input logic [63:0] addr);  // DWs to the next 4 KiB boundary
    to_page = 12'd1024 - {2'd0, addr[11:2]};
  endfunction
  function automatic logic [11:0] least(input logic [11:0] a, input logic [11:0] b, input logic [11:0] c);
    logic [11:0] ab;
    ab = a < b ? a : b;
    least = ab < c ? ab : c;
  endfunction
  logic [11:0] rd_n, wr_n;
  assign rd_n = least(rd_left_q, cfg_mrrs_i > 3'd2 ? 12'd128 : 12'd32 << cfg_mrrs_i, to_page(rd_addr_q));
  assign wr_n = least(wr_left_q, 12'd32 << cfg_mps_i, to_page(wr_addr_q));

  // ---- interrupts
  logic irq_any;
  logic [4:0] irq_first, irq_sel_q;
  always_comb begin
    irq_any = 1'b0;
    irq_first = '0;
    for (int i = 31; i >= 0; i--)
      if (pend_q[i] && !irq_mask[i] && cfg_msix_en_i && !cfg_msix_fmask_i && cfg_bme_i) begin
        irq_any = 1'b1;
        irq_first = 5'(i);
      end
  end
  assign irq_index = irq_sel_q;

  // ---- transmit TLPs: completions of BAR reads go first, between TLPs
  logic [63:0] out_addr;
  logic [11:0] out_len;
  logic        want_rd, want_wr, want_irq, in_tlp, start_ok;
  cairn_hw_pkg::tlp_mem_t out_hdr;

  assign in_tlp   = state_q == WRITE_DATA;
  // What waits for ready stays as it is, whatever happens to credits.
  logic held_q, held_cpl_q, may_rd, may_wr, may_cpl;
  assign may_rd   = (held_q && !held_cpl_q) || (tlp_credit_i[1] && cfg_bme_i && !cfg_flr_i);
  assign may_wr   = (held_q && !held_cpl_q) || (tlp_credit_i[0] && cfg_bme_i && !cfg_flr_i);
  assign may_cpl  = held_q ? held_cpl_q : tlp_credit_i[2] && !cfg_flr_i;
  assign want_rd  = state_q == READ && rd_left_q != 0 && tag_left_q[tag_q] == 0 && may_rd;
  assign want_wr  = state_q == WRITE && wr_left_q != 0 && may_wr;
  assign want_irq = state_q == IRQ && may_wr;
  assign cpl_ready = !in_tlp && may_cpl;
  assign start_ok = tlp_tx_ready_i && !(cpl_valid && cpl_ready);
  assign out_addr = want_rd ? rd_addr_q : want_irq ? irq_addr : wr_addr_q;
  assign out_len  = want_rd ? rd_n : want_irq ? 12'd1 : in_tlp ? tlp_left_q : wr_n;

  cairn_hw_pkg::tlp_mem_t hold_q;  // header of the write in progress
  always_comb begin
    out_hdr        = '0;
    out_hdr.fmt    = {1'b0, !want_rd, out_addr[63:32] != 0};
    out_hdr.type_  = cairn_hw_pkg::TLP_TYPE_MEM;
    out_hdr.length = out_len[9:0];
    out_hdr.reqid  = cfg_reqid_i;
    out_hdr.tag    = want_rd ? {4'd0, tag_q} : 8'd0;
    out_hdr.fbe    = 4'hf;
    out_hdr.lbe    = out_len == 12'd1 ? 4'h0 : 4'hf;
    out_hdr.addr   = out_addr[63:32] != 0 ? {out_addr[63:2], 2'b00} : {out_addr[31:2], 34'd0};
  end

  always_comb begin
    tlp_tx_data_o = '0;
    for (int i = 0; i < DWS; i++)
      tlp_tx_data_o[32*i +: 32] = wr_rx_q ? rx_data[32*i +: 32] : buf_q[wr_off_q[10:0] + 11'(i)];
    if (want_irq) tlp_tx_data_o[31:0] = irq_data;
    tlp_tx_hdr_o   = in_tlp ? hold_q : out_hdr;
    tlp_tx_valid_o = want_rd || want_wr || want_irq || in_tlp;
    tlp_tx_sop_o   = !in_tlp;
    tlp_tx_last_o  = want_rd || want_irq || (in_tlp ? tlp_left_q : wr_n) <= 12'(DWS);
    if (cpl_valid && cpl_ready) begin
      tlp_tx_valid_o = 1'b1;
      tlp_tx_hdr_o   = {bar_cpl, 32'd0};
      tlp_tx_data_o  = '0;
      tlp_tx_data_o[63:0] = bar_cpl_data;
      tlp_tx_sop_o   = 1'b1;
      tlp_tx_last_o  = 1'b1;
    end
  end
  assign bar_cpl_taken = cpl_valid && cpl_ready && tlp_tx_ready_i;

  // ---- transmit frames
  logic [13:0] tx_left;
  assign tx_left         = len_q[13:0] - {wr_off_q, 2'd0};
  assign mac_tx_valid_o  = state_q == SEND && !err_q;
  assign mac_tx_last_o   = tx_left <= 14'(DATA_W / 8);
  assign mac_tx_nbytes_o = tx_left[NB_W-1:0];
  assign mac_tx_err_o    = op_q != OP_SEND;
  for (genvar i = 0; i < DWS; i++) begin : g_tx
    assign mac_tx_data_o[32*i +: 32] = buf_q[wr_off_q[10:0] + 11'(i)];
  end

  // ---- time
  logic        timer_on_q;
  logic [63:0] timer_q;
  logic        timer_fires;
  assign timer_fires      = timer_on_q && time_now_i >= timer_q;
  assign deadline_valid_o = timer_on_q;
  assign deadline_o       = timer_q;
  assign idle_o = state_q == IDLE && db_n_q == 0 && (!rx_frame || rx_base == 0) && !rx_busy &&
                  !irq_any && !cpl_valid && !tlp_rx_valid_i && !timer_fires && !cfg_flr_i && !flr_q;

  logic rx_cpl_beat, rx_cpl_bad, cpl_in_q;
  logic [3:0] cpl_tag, cpl_tag_q;
  assign cpl_tag     = tlp_rx_sop_i ? rx_cpl.tag[3:0] : cpl_tag_q;
  assign rx_cpl_beat = tlp_rx_valid_i && tag_left_q[cpl_tag] != 0 &&
                       (tlp_rx_sop_i ? rx_cpl.type_ == cairn_hw_pkg::TLP_TYPE_CPL : cpl_in_q);
  assign rx_cpl_bad  = tlp_rx_sop_i && (rx_cpl.status != cairn_hw_pkg::CPL_STATUS_SC || rx_cpl.ep || !rx_cpl.fmt[1]);
  logic [11:0] cpl_dws, cpl_left_q, cpl_have;  // DWs in this beat; of this completion still to come
  assign cpl_have = tlp_rx_sop_i ? {2'd0, rx_cpl.length} : cpl_left_q;
  assign cpl_dws  = rx_cpl_bad ? tag_left_q[cpl_tag] : cpl_have > 12'(DWS) ? 12'(DWS) : cpl_have;

  // ---- the job's steps
  always_ff @(posedge clk_i) begin
    // A reset waits for the end of the TLP and of the frame.
    flr_q <= rst_ni && cfg_flr_i && (flr_q || (!in_tlp && !tlp_tx_valid_o && state_q != SEND));
    held_q <= run_n && tlp_tx_valid_o && !tlp_tx_ready_i;
    held_cpl_q <= cpl_valid && cpl_ready;
    cfg_flr_done_o <= flr_q && cfg_flr_i;
    if (db_valid) begin
      db_q[db_wp_q] <= db_addr;
      db_wp_q <= db_wp_q + 4'd1;
      doorbells_q <= doorbells_q + 64'd1;
    end
    db_n_q <= db_n_q + 5'(db_valid) - 5'(state_q == DESC);
    if (timer_set) begin
      timer_on_q <= timer_new != 0;
      timer_q <= timer_new;
    end else if (timer_fires) begin
      pend_q[IRQ_TIMER] <= 1'b1;
      timer_on_q <= timer_period != 0;
      timer_q <= timer_q + 64'(timer_period);
    end
    case (state_q)
      IDLE: begin
        err_q <= 1'b0;
        wr_rx_q <= 1'b0;
        wr_off_q <= '0;
        rd_off_q <= '0;
        irq_sel_q <= irq_first;
        if (irq_any) state_q <= IRQ;
        else if (rx_frame && rx_base != 0) begin
          wr_rx_q   <= 1'b1;
          wr_addr_q <= rx_base + {47'd0, frame_seq_q[3:0], 13'd16};
          wr_left_q <= rx_len[13:2] + 12'(rx_len[1:0] != 0);
          state_q   <= WRITE;
          after_q   <= RX_HEAD;
        end else if (db_n_q != 0) begin
          desc_q    <= db_q[db_rp_q];
          rd_addr_q <= db_q[db_rp_q];
          rd_left_q <= 12'd8;
          state_q   <= DESC;
        end
      end
      DESC: begin
        db_rp_q <= db_rp_q + 4'd1;
        state_q <= READ;
        after_q <= NEXT;
        op_q    <= '1;  // not known yet
      end
      NEXT: begin  // descriptor or a chunk has been read, or a chunk written
        wr_off_q <= '0;
        rd_off_q <= '0;
        if (err_q) state_q <= RECORD;
        else if (op_q == '1) begin
          src_q    <= {buf_q[1], buf_q[0]};
          dst_q    <= {buf_q[3], buf_q[2]};
          len_q    <= buf_q[4];
          left_q   <= buf_q[4] / 4 + 32'(buf_q[4][1:0] != 0);
          op_q     <= buf_q[5];
          vector_q <= buf_q[6];
        end else if (left_q == 0) state_q <= RECORD;
        else begin
          rd_addr_q <= src_q;
          rd_left_q <= op_q != OP_COPY || left_q < CHUNK_DW ? left_q[11:0] : 12'(CHUNK_DW);
          wr_left_q <= op_q != OP_COPY || left_q < CHUNK_DW ? left_q[11:0] : 12'(CHUNK_DW);
          wr_addr_q <= dst_q;
          src_q     <= src_q + 4 * CHUNK_DW;
          dst_q     <= dst_q + 4 * CHUNK_DW;
          left_q    <= op_q != OP_COPY || left_q < CHUNK_DW ? '0 : left_q - CHUNK_DW;
          state_q   <= READ;
          after_q   <= op_q == OP_COPY ? WRITE : SEND;
        end
      end
      READ: begin
        if (want_rd && start_ok) begin
          tag_q             <= tag_q + 4'd1;
          tag_off_q[tag_q]  <= rd_off_q;
          rd_addr_q         <= rd_addr_q + 64'({rd_n, 2'd0});
          rd_off_q          <= rd_off_q + rd_n;
          rd_left_q         <= rd_left_q - rd_n;
          if (rd_left_q == rd_n) state_q <= READ_WAIT;
        end
      end
      READ_WAIT:
        if (rd_wait_q == 0) begin
          state_q <= err_q ? RECORD : after_q;
          if (after_q == WRITE && !err_q) after_q <= NEXT;
        end
      WRITE: begin
        if (wr_left_q == 0) state_q <= after_q;
        else if (want_wr && start_ok) begin
          hold_q     <= out_hdr;
          tlp_left_q <= wr_n - 12'(DWS);
          wr_addr_q  <= wr_addr_q + 64'({wr_n, 2'd0});
          wr_left_q  <= wr_left_q - wr_n;
          wr_off_q   <= wr_off_q + (wr_n < 12'(DWS) ? wr_n : 12'(DWS));
          if (wr_n > 12'(DWS)) state_q <= WRITE_DATA;
        end
      end
      WRITE_DATA:
        if (tlp_tx_ready_i) begin
          tlp_left_q <= tlp_left_q - 12'(DWS);
          wr_off_q   <= wr_off_q + (tlp_left_q < 12'(DWS) ? tlp_left_q : 12'(DWS));
          if (tlp_left_q <= 12'(DWS)) state_q <= WRITE;
        end
      SEND:
        if (mac_tx_ready_i || err_q) begin
          wr_off_q <= wr_off_q + 12'(DWS);
          if (mac_tx_last_o || err_q) begin
            state_q      <= RECORD;
            tx_packets_q <= tx_packets_q + 64'd1;
            tx_bytes_q   <= tx_bytes_q + 64'(len_q);
          end
        end
      RECORD: begin
        {buf_q[3], buf_q[2], buf_q[1], buf_q[0]} <= {time_now_i, seq_q + 32'd1, 31'd0, err_q};
        seq_q     <= seq_q + 32'd1;
        wr_off_q  <= '0;
        wr_left_q <= 12'd4;
        wr_addr_q <= desc_q + 64'd32;
        state_q   <= WRITE;
        after_q   <= IDLE;
        pend_q[vector_q[4:0]] <= 1'b1;
      end
      RX_HEAD: begin
        {buf_q[3], buf_q[2], buf_q[1], buf_q[0]} <=
            {rx_time, frame_seq_q + 32'd1, 18'd0, rx_len};
        frame_seq_q <= frame_seq_q + 32'd1;
        wr_rx_q   <= 1'b0;
        wr_off_q  <= '0;
        wr_left_q <= 12'd4;
        wr_addr_q <= rx_base + {47'd0, frame_seq_q[3:0], 13'd0};
        state_q   <= WRITE;
        after_q   <= RX_DONE;
      end
      RX_DONE: begin
        pend_q[IRQ_RX] <= 1'b1;
        state_q <= IDLE;
      end
      IRQ: begin
        if (want_irq && start_ok) begin
          pend_q[irq_index] <= 1'b0;
          irqs_q  <= irqs_q + 64'd1;
          state_q <= IDLE;
        end
      end
      default: state_q <= IDLE;
    endcase
    // Completions, any tag, any order.
    if (want_rd && start_ok) tag_left_q[tag_q] <= rd_n;
    rd_wait_q <= rd_wait_q + (want_rd && start_ok ? rd_n : 12'd0) -
                 (rx_cpl_beat && !stale_q[cpl_tag] ? cpl_dws : 12'd0);
    if (rx_cpl_beat) begin
      cpl_tag_q  <= cpl_tag;
      cpl_left_q <= cpl_have - 12'(DWS);
      cpl_in_q   <= !tlp_rx_last_i && !rx_cpl_bad;
      tag_left_q[cpl_tag] <= tag_left_q[cpl_tag] - cpl_dws;
      tag_off_q[cpl_tag]  <= tag_off_q[cpl_tag] + cpl_dws;
      if (tag_left_q[cpl_tag] == cpl_dws) stale_q[cpl_tag] <= 1'b0;
      if (rx_cpl_bad && !stale_q[cpl_tag]) err_q <= 1'b1;
      else if (!stale_q[cpl_tag])
        for (int i = 0; i < DWS; i++)
          if (12'(i) < cpl_dws) buf_q[tag_off_q[cpl_tag][10:0] + 11'(i)] <= tlp_rx_data_i[32*i +: 32];
    end
    if (!run_n) begin
      state_q <= IDLE;
      {db_wp_q, db_rp_q, db_n_q, rd_wait_q, pend_q, timer_on_q} <= '0;
      {seq_q, frame_seq_q, tx_packets_q, tx_bytes_q, doorbells_q, irqs_q} <= '0;
      {err_q, wr_rx_q} <= '0;
      for (int i = 0; i < 16; i++)
        stale_q[i] <= tag_left_q[i] != 0 && !(rx_cpl_beat && cpl_tag == 4'(i) && tag_left_q[i] == cpl_dws);
    end
    if (!rst_ni) begin
      {tag_q, cpl_in_q, stale_q} <= '0;
      for (int i = 0; i < 16; i++) tag_left_q[i] <= '0;
    end
  end

  standin_rx #(.DATA_W(DATA_W)) u_rx (
      .clk_i, .rst_ni(run_n), .time_now_i, .mac_rx_valid_i, .mac_rx_last_i, .mac_rx_err_i, .mac_rx_data_i,
      .mac_rx_nbytes_i, .frame_o(rx_frame), .busy_o(rx_busy), .len_o(rx_len), .time_o(rx_time),
      .addr_i(wr_off_q[10:0]), .data_o(rx_data), .pop_i(state_q == RX_DONE), .packets_o(rx_packets),
      .bytes_o(rx_bytes), .dropped_o(rx_dropped));

  // Inputs that only the real core needs.
  logic unused;
  assign unused = ^{mac_addr_i, mac_link_i, mac_eth_mtu_i, mac_gbps_i, cfg_mps_i, cfg_ext_tag_i, cfg_relaxed_i,
                    rx_mem, rx_cpl};
endmodule
