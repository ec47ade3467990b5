#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Verilate one model (called by verilate.mk from the top folder).
#   verilate.sh <model> <top> <verilator args> <packages> <extra files> <library folders>
# Leaves in $BUILD_DIR: the C++ files, model.cpp that includes them all (one compiler run), ports.inc,
# sources.d with what the model was made from, and model.stamp when all went well.
set -eu
model=$1 top=$2 args=$3 packages=$4 extra=$5 folders=$6

# The package list and the top itself, unless the extra files have it.
top_file=
case " $extra " in
*"/$top.sv "*) ;;
*)
	for dir in $folders; do
		[ -f "$dir/$top.sv" ] && top_file=$dir/$top.sv
	done
	[ -n "$top_file" ] || { echo "verilate: no $top.sv in: $folders $extra" >&2; exit 1; }
	;;
esac
search=
for dir in $folders $(for f in $extra; do dirname "$f"; done | sort -u); do
	search="$search -y $dir"
done

rm -rf "$BUILD_DIR"
mkdir -p "$BUILD_DIR"
# shellcheck disable=SC2086
verilator $FLAGS --prefix "V$model" --top-module "$top" --Mdir "$BUILD_DIR" $args rtl/lint.vlt \
	+libext+.sv $search $packages $extra $top_file

python3 tests/lib/vports.py "$BUILD_DIR/V$model.h" > "$BUILD_DIR/ports.inc"
{
	for f in "$BUILD_DIR"/V"$model"*.cpp; do
		echo "#include \"${f##*/}\""
	done
	echo '#include "sim_dut.cpp"'
} > "$BUILD_DIR/model.cpp"

# Depend on every source Verilator read; a source that is gone must not stop make.
sources=$(sed -e 's/.*: //' "$BUILD_DIR/V${model}__ver.d" | tr ' ' '\n' | grep '\.sv$' | sort -u | tr '\n' ' ')
{
	echo "$BUILD_DIR/model.stamp: $sources"
	for f in $sources; do
		echo "$f:"
	done
} > "$BUILD_DIR/sources.d"
touch "$BUILD_DIR/model.stamp"
