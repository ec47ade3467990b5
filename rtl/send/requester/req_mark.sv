// SPDX-License-Identifier: Apache-2.0
// The mark of a drain of keys (mr_drain) on its way through req_issue: behind the record that answers are gathered for,
// behind the one that is being committed, then behind the segments that stand in req_send.
//
// Jobs without payload use no key, and the job of a segment is in the ring before it. What comes behind the mark is not
// waited for.
// Order: drain_i is high from when all earlier answers are taken until all clients are through; drained_o stays high
//   until then. Errors: none.
module req_mark (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       drain_i,
    output logic       drained_o,
    input  logic       open_i,     // some answers of the record at the head are taken, or one is in this cycle
    input  logic       move_i,     // it goes on to be committed
    input  logic       hold_i,     // a record is being committed, and stays so in the next cycle
    input  logic [1:0] left_i,     // packets whose segments are not all handed over
    input  logic       pop_i       // those of one are
);
  typedef enum logic [1:0] {M_GATHER, M_COMMIT, M_COUNT, M_SEND} state_e;
  state_e     m_q;
  logic [1:0] left_q;
  assign drained_o = m_q == M_SEND && left_q == '0 && drain_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !drain_i) begin
      m_q <= M_GATHER;
    end else begin
      case (m_q)
        M_GATHER: if (!open_i || move_i) m_q <= M_COMMIT;
        M_COMMIT: if (!hold_i) m_q <= M_COUNT;
        M_COUNT:  m_q <= M_SEND;
        default: ;
      endcase
    end
    if (m_q == M_COUNT) left_q <= left_i - {1'b0, pop_i};
    else if (pop_i && left_q != '0) left_q <= left_q - 1'b1;
  end
endmodule
