# SPDX-License-Identifier: Apache-2.0
"""Import this first: it finds the parser of captures, which the installed `cairn report` has too."""
import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARSER = os.path.join(TOP, "libprovider", "tool", "trace")
sys.path.insert(1, PARSER)
