// SPDX-License-Identifier: Apache-2.0
// $shift and $shiftx as stages of multiplexers, for synth.py: Yosys's own map tries every pattern of constant bits of
// the amount, which takes minutes for a NIC full of indexed vectors.  Y[i] = A[i + B], 0 outside of A; with B_SIGNED
// B may be negative.  Both are done as one shift to the right of A with Y_WIDTH zeros below it, by B + Y_WIDTH.
(* techmap_celltype = "$shift $shiftx" *)
module cairn_shift (A, B, Y);
	parameter A_SIGNED = 0;
	parameter B_SIGNED = 0;
	parameter A_WIDTH = 1;
	parameter B_WIDTH = 1;
	parameter Y_WIDTH = 1;
	(* force_downto *)
	input [A_WIDTH-1:0] A;
	(* force_downto *)
	input [B_WIDTH-1:0] B;
	(* force_downto *)
	output [Y_WIDTH-1:0] Y;

	wire _TECHMAP_FAIL_ = A_SIGNED != 0;

	localparam BELOW = B_SIGNED ? Y_WIDTH : 0;
	localparam WIDTH = A_WIDTH + BELOW;
	localparam STAGES = $clog2(WIDTH + 1);
	// wide enough for the sum, and for all of B
	localparam N_WIDTH = (B_WIDTH > STAGES ? B_WIDTH : STAGES) + 1;

	wire [N_WIDTH-1:0] n;
	wire [WIDTH*(STAGES+1)-1:0] step;
	generate
		if (B_SIGNED) begin
			wire signed [B_WIDTH-1:0] b = B;
			assign n = {{(N_WIDTH-B_WIDTH){b[B_WIDTH-1]}}, b} + BELOW;
			assign step[WIDTH-1:0] = {A, {Y_WIDTH{1'b0}}};
		end else begin
			assign n = B;
			assign step[WIDTH-1:0] = A;
		end
		genvar i;
		for (i = 0; i < STAGES; i = i + 1) begin : stage
			localparam BY = 1 << i;
			assign step[WIDTH*(i+1) +: WIDTH] =
				n[i] ? {{BY{1'b0}}, step[WIDTH*i+BY +: WIDTH-BY]} : step[WIDTH*i +: WIDTH];
		end
		// an amount past the end, or before BELOW
		assign Y = |n[N_WIDTH-1:STAGES] ? {Y_WIDTH{1'b0}} : step[WIDTH*STAGES +: WIDTH];
	endgenerate
endmodule
