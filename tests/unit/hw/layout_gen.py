#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the two sides of the layout test from rtl/hw/*.def, independently of hwgen.

usage: layout_gen.py OUTDIR

OUTDIR/hw_layout.sv shows any member of any STRUCT or HDR twice, through the packed struct and through its _LSB and _W
constants; OUTDIR/layout.inc holds, for each member, a C getter and setter made with cairn_bits.h and the
place this script works out by itself.  test_layout.c compares them all.
"""
import re
import sys

ROW = re.compile(r'\b([A-Z0-9]+)\(((?:[^()"]|"(?:[^"\\]|\\.)*")*)\)')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
KEYWORDS = {"type", "time", "table", "cell", "event", "config", "priority", "final", "local", "context", "packed"}


def rows(path):
    with open(path, encoding="utf-8") as source:
        text = COMMENT.sub(" ", source.read())
    for kind, args in ROW.findall(text):
        yield kind, [a.strip() for a in re.sub(r'"(?:[^"\\]|\\.)*"', "", args).split(",")]


def sv(name):
    name = name.lower()
    return name + "_" if name in KEYWORDS else name


class Leaf:
    """One member: SV expression parts, C parts and its place in the vector."""

    def __init__(self, member, const, lsb, width, get, put):
        self.member, self.const, self.lsb, self.width, self.get, self.put = member, const, lsb, width, get, put


def struct_leaves(name, members):
    tag, up = f"struct cairn_{name.lower()}", name.upper()
    for kind, offset, width, field, bits in members:
        low, upf = field.lower(), field.upper()
        if kind == "BYTES":
            for first in range(0, width // 8, 8):
                n = min(8, width // 8 - first)
                yield Leaf(f"{sv(field)}[{8 * first} +: {8 * n}]", (f"{up}_{upf}", 8 * first, 8 * n), 8 * (offset + first),
                           8 * n, f"memcpy(&v, (({tag} *)p)->{low} + {first}, {n})",
                           f"memcpy((({tag} *)p)->{low} + {first}, &v, {n})")
        elif not bits:
            yield Leaf(sv(field), (f"{up}_{upf}", 0, width), 8 * offset, width, f"v = (({tag} *)p)->{low}",
                       f"(({tag} *)p)->{low} = (uint{width}_t)v")
        for msb, lsb, sub in bits:
            own = sub.upper() == upf
            mask = f"CAIRN_{up}_{upf}" if own else f"CAIRN_{up}_{upf}_{sub}"
            yield Leaf(sv(low) if own else f"{low}_{sub.lower()}", (mask[6:], 0, msb - lsb + 1), 8 * offset + lsb, msb - lsb + 1,
                       f"v = CAIRN_GET((({tag} *)p)->{low}, {mask})", f"CAIRN_SET((({tag} *)p)->{low}, {mask}, v)")


def hdr_leaves(name, size, fields):
    at = 0
    for field, width in fields:
        macro = f"CAIRN_{name.upper()}_{field.upper()}"
        yield Leaf(sv(field), (f"{name.upper()}_{field.upper()}", 0, width), 8 * size - at - width, width,
                   f"v = cairn_pkt_get(p, {macro})", f"cairn_pkt_set(p, {macro}, v)")
        at += width


def groups(path):
    """(name, bytes, is_hdr, leaves) of each STRUCT and HDR."""
    out, members, word_bits = [], None, None
    for kind, args in rows(path):
        if kind in ("STRUCT", "HDR"):
            members, word_bits = [], None
            out.append((args[0], int(args[1], 0), kind == "HDR", members))
        elif kind == "WORD":
            word_bits = []
            members.append((kind, int(args[0], 0), int(args[1], 0), args[2], word_bits))
        elif kind == "BYTES":
            members.append((kind, int(args[0], 0), 8 * int(args[1], 0), args[2], []))
        elif kind == "FLD":
            members.append((args[1], int(args[0], 0)))
        elif kind == "BITS" and word_bits is not None:
            word_bits.append((int(args[0], 0), int(args[1], 0), args[2]))
        elif kind in ("REG", "REG64"):
            word_bits = None
    for name, size, is_hdr, members in out:
        yield name, size, is_hdr, list(hdr_leaves(name, size, members) if is_hdr else struct_leaves(name, members))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tables = [("cairn_hw_pkg", g) for g in groups("rtl/hw/hw.def")] + [("cairn_pkt_pkg", g) for g in groups("rtl/hw/pkt.def")]
    width = max(8 * size for _, (_, size, _, _) in tables)
    decls, members, places, sizes, c_funcs, c_leaves, c_groups = [], [], [], [], [], [], []
    index = 0
    for pkg, (name, size, is_hdr, leaves) in tables:
        var = f"s_{name.lower()}"
        decls.append(f"  {pkg}::{name.lower()}_t {var};\n  assign {var} = bits_i[{pkg}::{name.upper()}_W-1:0];")
        first = f"32'(index_i) >= {index} && " if index else ""
        sizes.append(f"    if ({first}32'(index_i) < {index + len(leaves)}) size_o = {pkg}::{name.upper()}_W;")
        c_groups.append(f'\t{{ "{name}", {size}, {int(is_hdr)}, {index}, {len(leaves)} }},')
        for leaf in leaves:
            base, skip, count = leaf.const
            members.append(f"      {index}: member_o = 64'({var}.{leaf.member});")
            whole = f"bits_i[{pkg}::{base}_LSB + {skip} +: {count if leaf.member.endswith(']') else f'{pkg}::{base}_W'}]"
            places.append(f"      {index}: place_o = 64'({whole});")
            c_funcs.append(f"static uint64_t get_{index}(void *p) {{ uint64_t v = 0; {leaf.get}; return v; }}\n"
                           f"static void put_{index}(void *p, uint64_t v) {{ {leaf.put}; }}")
            c_leaves.append(f'\t{{ "{name}.{leaf.member}", {leaf.lsb}, {leaf.width}, get_{index}, put_{index} }},')
            index += 1
    with open(f"{sys.argv[1]}/hw_layout.sv", "w", encoding="utf-8") as out:
        out.write(f"""// Written by layout_gen.py for test_layout.c.
/* verilator lint_off UNUSEDSIGNAL */
module hw_layout (
    input  logic [{width - 1}:0] bits_i,
    input  logic [15:0] index_i,
    output logic [63:0] member_o,
    output logic [63:0] place_o,
    output logic [31:0] size_o,
    input  logic [7:0]  opcode_i,
    output logic [cairn_pkt_pkg::OPF_W-1:0] flags_o,
    output logic [cairn_pkt_pkg::EXT_W-1:0] ext_o,
    output logic [5:0]  ext_bytes_o
);
  assign flags_o     = cairn_pkt_pkg::opcode_flags(opcode_i);
  assign ext_o       = cairn_pkt_pkg::opcode_ext(opcode_i);
  assign ext_bytes_o = cairn_pkt_pkg::opcode_ext_bytes(opcode_i);
""" + "\n".join(decls) + """
  always_comb begin
    case (index_i)
""" + "\n".join(members) + """
      default: member_o = '0;
    endcase
    case (index_i)
""" + "\n".join(places) + """
      default: place_o = '0;
    endcase
    size_o = '0;
""" + "\n".join(sizes) + """
  end
endmodule
""")
    with open(f"{sys.argv[1]}/layout.inc", "w", encoding="utf-8") as out:
        out.write("/* Written by layout_gen.py for test_layout.c. */\n" + "\n".join(c_funcs) +
                  "\n\nstatic const struct leaf leaves[] = {\n" + "\n".join(c_leaves) +
                  "\n};\n\nstatic const struct group groups[] = {\n" + "\n".join(c_groups) + "\n};\n")


if __name__ == "__main__":
    main()
