# SPDX-License-Identifier: Apache-2.0
"""Runs one file of rdma-core's tests, with the Python they are for: one.py TESTS FILE DEVICE REPORT

Does what their run_tests.py does, and writes an outcome a line to REPORT: ["test", "passed" | "failed" | "skipped",
reason], and ["end", "", ""] at last.
"""
import importlib.machinery
import json
import os
import sys
import unittest

TESTS, FILE, DEVICE, REPORT = sys.argv[1:]


class Result(unittest.TextTestResult):
    """Each outcome is in the report as soon as it is known: the next test may end the process."""

    def tell(self, test, outcome, reason=""):
        with open(REPORT, "a", encoding="utf-8") as report:
            report.write(json.dumps([test.id().removeprefix(f"tests.{FILE}."), outcome, reason]) + "\n")

    def addSuccess(self, test):  # noqa: N802
        super().addSuccess(test)
        self.tell(test, "passed")

    def addError(self, test, err):  # noqa: N802
        super().addError(test, err)
        self.tell(test, "failed", f"error: {err[1]}")

    def addFailure(self, test, err):  # noqa: N802
        super().addFailure(test, err)
        self.tell(test, "failed", str(err[1]))

    def addSubTest(self, test, subtest, err):  # noqa: N802
        super().addSubTest(test, subtest, err)
        if err:
            self.tell(test, "failed", f"{subtest}: {err[1]}")

    def addSkip(self, test, reason):  # noqa: N802
        super().addSkip(test, reason)
        self.tell(test, "skipped", reason)

    def addExpectedFailure(self, test, err):  # noqa: N802
        super().addExpectedFailure(test, err)
        self.tell(test, "passed")

    def addUnexpectedSuccess(self, test):  # noqa: N802
        super().addUnexpectedSuccess(test)
        self.tell(test, "failed", "succeeded, which it should not")


sys.path[0] = os.path.abspath(TESTS)
sys.argv = ["run_tests.py", "--dev", DEVICE, "-v"]
import args_parser  # noqa: E402

args_parser.parser.parse_args()
importlib.machinery.SourceFileLoader("tests", os.path.join(sys.path[0], "__init__.py")).load_module()
suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[f"tests.{FILE}"])
good = unittest.TextTestRunner(verbosity=2, resultclass=Result).run(suite).wasSuccessful()
with open(REPORT, "a", encoding="utf-8") as end:
    end.write(json.dumps(["end", "", ""]) + "\n")
sys.exit(0 if good else 1)
