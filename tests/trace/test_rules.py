#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The trace checker's rules, each with a conversation that keeps it and the same one that breaks it.

A case is a function (talk, bad): without bad there must be no finding, with bad the rule in its name must be found
(case_<rule> or case_<rule>__<variant>; cases.py, cases_responder.py).  A rule without a case fails the last test.
"""
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True

import shared  # noqa: E402
import cases  # noqa: E402
import cases_responder  # noqa: E402
import tap  # noqa: E402
from judge import Judge  # noqa: E402
from talk import Talk  # noqa: E402
from transport import View  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


def findings(case, bad):
    talk = Talk()
    case(talk, bad)
    talk.packets.sort(key=lambda packet: packet["ns"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "talk")
        (talk.save_ports if getattr(case, "ports", False) else talk.save)(path)
        view = dict(getattr(case, "view", {}))
        return Judge(path, View(**view)).run().findings


def judge_case(name, case):
    rule = name[len("case_"):].split("__")[0]
    good, bad = findings(case, False), findings(case, True)
    assert not good, "the good conversation: " + "; ".join(map(str, good))
    assert rule in [finding.rule for finding in bad], f"not found: {rule}; found: {[str(finding) for finding in bad]}"


def every_rule_has_a_case(found):
    names = set()
    for folder, file in ((shared.PARSER, "roce.py"), (HERE, "requester.py"), (HERE, "responder.py"), (HERE, "judge.py")):
        with open(os.path.join(folder, file), encoding="utf-8") as text:
            source = text.read()
        names |= set(re.findall(r'(?:report\([\w\[\].]+, |yield |wrong\.append\(\()"(\w+)",', source))
    assert len(names) > 40, names
    missing = names - {name[len("case_"):].split("__")[0] for name in found}
    assert not missing, f"rules without a case: {sorted(missing)}"


def main():
    found = {name: case for module in (cases, cases_responder) for name, case in vars(module).items()
             if name.startswith("case_")}
    tests = [(name[len("case_"):], lambda name=name, case=case: judge_case(name, case))
             for name, case in found.items()]
    return tap.run(tests + [("every rule has a case", lambda: every_rule_has_a_case(found))])


if __name__ == "__main__":
    sys.exit(main())
