# SPDX-License-Identifier: Apache-2.0
"""Tables for readers."""


def grid(head, rows):
    """Lines of a Markdown table with aligned columns."""
    wide = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [head, ["-" * n for n in wide], *rows]
    return ["| " + " | ".join(cell.ljust(n) for cell, n in zip(line, wide)) + " |" for line in lines]
