#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What Yosys makes of a module, as Verilog again: netlist.sh TOP OUTPUT SOURCES...
# The module is called TOP_net. It is the word-level netlist after elaboration, where a difference between
# Verilator's and Yosys's reading of the language shows; mapping to gates is left to `make synth`.
set -eu
top=$1 output=$2
shift 2
mkdir -p "$(dirname "$output")"
yosys -q -e 'implicitly declared' -p "read_verilog -sv $*; hierarchy -check -top $top; proc; flatten; opt; \
	check -assert; rename $top ${top}_net; write_verilog -noattr $output.tmp"
{
	# generated code: its form is not ours
	for rule in CASEOVERLAP CASEINCOMPLETE DECLFILENAME WIDTH UNUSEDSIGNAL UNDRIVEN UNOPTFLAT BLKSEQ; do
		echo "/* verilator lint_off $rule */"
	done
	cat "$output.tmp"
} > "$output"
rm -f "$output.tmp"
