# SPDX-License-Identifier: Apache-2.0
# The quick proofs are part of `make test`; `make formal` runs all (tests/formal/run).
$(eval $(call test_program,formal,tests/formal/quick))
# Who may wait for whom: docs/deadlock.md.
$(eval $(call test_program,formal,tests/formal/deadlock/check))

.PHONY: formal-quick
formal-quick:  ## the proofs that take seconds
	@tests/run tests/formal/quick
