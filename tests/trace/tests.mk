# SPDX-License-Identifier: Apache-2.0
# The checkers of captures (check, tshark): does each rule find what breaks it, do they accept real captures.
$(eval $(call test_program,trace,tests/trace/test_rules.py))
$(eval $(call test_program,trace,tests/trace/test_captures.py))
$(eval $(call test_program,trace,tests/trace/test_events.py))
# The page that `cairn report` makes, and how a browser draws it.
$(eval $(call test_program,trace,tests/trace/test_report.py,$(TOOL) $(TRACE_SCRIPTS) $(TRACE_PAGE)))
$(eval $(call test_program,trace,tests/trace/test_page.py))
