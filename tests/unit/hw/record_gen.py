#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the SV side of the test of records from rtl/hw/int.def, independently of hwgen.

usage: record_gen.py OUTDIR

OUTDIR/hw_records.sv shows, by number, up to 64 bits of any member of any RECORD through the packed struct, and the
width of its struct; OUTDIR/records.inc has a row for each of these: the record, the member, its place as this script
works it out, and the C member.  test_records.c compares them.
"""
import sys

import layout_gen


def read():
    """Widths that have names, and the records: name -> [(width or record, member, is record)]."""
    widths, records, group = {}, {}, None
    structs = {args[0]: 8 * int(args[1], 0) for kind, args in layout_gen.rows("rtl/hw/hw.def") if kind == "STRUCT"}
    flags = [int(args[0], 0) for kind, args in layout_gen.rows("rtl/hw/pkt.def") if kind == "OPFLAG"]
    widths["OPF_W"] = max(flags) + 1
    for kind, args in layout_gen.rows("rtl/hw/int.def"):
        if kind == "CONST":
            widths[args[0]] = int(args[1], 0)
        elif kind == "ENUM":
            widths[f"enum {args[0]}"] = int(args[1], 0)
        elif kind == "RECORD":
            group = records.setdefault(args[0], [])
        elif kind == "BUNDLE":
            group = []
        elif kind == "F":
            group.append((widths[args[0]] if args[0] in widths else int(args[0], 0), args[1], False))
        elif kind == "T":
            group.append((widths[f"enum {args[0]}"], args[1], False))
        elif kind == "R":
            group.append((args[0], args[1], True))
        elif kind == "S":
            group.append((structs[args[0]], args[1], False))
    return records


def width(records, name):
    return sum(width(records, of) if record else of for of, _, record in records[name])


def leaves(records, name, top, path=""):
    """(SV and C path, lsb, width) of each member, first member in the top bits."""
    for of, member, record in records[name]:
        bits = width(records, of) if record else of
        top -= bits
        if record:
            yield from leaves(records, of, top + bits, f"{path}{member}.")
        else:
            yield path + member, top, bits


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    records = read()
    most = max(width(records, name) for name in records)
    decls, members, sizes, rows, groups = [], [], [], [], []
    for name in records:
        bits, first = width(records, name), len(rows)
        decls.append(f"  cairn_int_pkg::{name}_t r_{name};\n  assign r_{name} = bits_i[cairn_int_pkg::{name.upper()}_W-1:0];")
        for path, lsb, count in leaves(records, name, bits):
            for part in range(0, count, 64):
                n = min(64, count - part)
                choice = f"[{part} +: {n}]" if count > 64 else ""
                members.append(f"      {len(rows)}: member_o = 64'(r_{name}.{path}{choice});")
                sizes.append(f"      {len(rows)}: size_o = cairn_int_pkg::{name.upper()}_W;")
                c_path = f"{path}[{part // 64}]" if count > 64 else path
                rows.append(f'\t{{ "{name}.{c_path}", {lsb + part}, {n}, get_{len(rows)} }},')
                groups.append(f"static uint64_t get_{len(rows) - 1}(const void *rec)\n{{\n"
                              f"\treturn ((const struct rec_{name} *)rec)->{c_path};\n}}")
        decls.append(f"  // members {first} to {len(rows) - 1}")
    tables = [f"\t{{ REC_{name.upper()}_W, {width(records, name)}, {sum(1 for _ in parts(records, name))},"
              f" put_{name}, get_{name} }}," for name in records]
    funcs = [f"static void put_{name}(const struct sim_port *p, const void *rec)\n{{\n\tvtb_put_{name}(p, 0, rec);\n}}\n"
             f"static void get_{name}(const struct sim_port *p, void *rec)\n{{\n"
             f"\t*(struct rec_{name} *)rec = vtb_get_{name}(p, 0);\n}}" for name in records]
    with open(f"{sys.argv[1]}/hw_records.sv", "w", encoding="utf-8") as out:
        out.write(f"""// Written by record_gen.py for test_records.c.
/* verilator lint_off UNUSEDSIGNAL */
module hw_records (
    input  logic [{most - 1}:0] bits_i,
    input  logic [15:0] index_i,
    output logic [63:0] member_o,
    output logic [31:0] size_o
);
""" + "\n".join(decls) + "\n  always_comb begin\n    case (index_i)\n" + "\n".join(members) + """
      default: member_o = '0;
    endcase
    case (index_i)
""" + "\n".join(sizes) + "\n      default: size_o = '0;\n    endcase\n  end\nendmodule\n")
    with open(f"{sys.argv[1]}/records.inc", "w", encoding="utf-8") as out:
        out.write("/* Written by record_gen.py for test_records.c. */\n" + "\n".join(groups + funcs) +
                  "\n\nstatic const struct leaf leaves[] = {\n" + "\n".join(rows) +
                  "\n};\n\nstatic const struct record records[] = {\n" + "\n".join(tables) + "\n};\n")


def parts(records, name):
    for _, lsb, count in leaves(records, name, width(records, name)):
        for part in range(0, count, 64):
            yield lsb + part


main()
