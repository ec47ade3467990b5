# SPDX-License-Identifier: Apache-2.0
"""Run functions as TAP tests: a test fails with an exception, and is skipped with Skip."""
import sys
import traceback


class Skip(Exception):
    """The message says why."""


def run(tests):
    """[(name, function)]; returns the exit status."""
    failed = 0
    print(f"1..{len(tests)}")
    for number, (name, test) in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {name}")
        except Skip as why:
            print(f"ok {number} - {name} # SKIP {why}")
        except Exception:  # whatever it is, it is the result
            failed += 1
            print(f"not ok {number} - {name}")
            print("\n".join("# " + line for line in traceback.format_exc().splitlines()))
        sys.stdout.flush()
    return 1 if failed else 0
