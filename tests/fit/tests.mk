# SPDX-License-Identifier: Apache-2.0
# make fit is tests/fit/run; what changed since the figures in docs/fit.json, in three minutes:
.PHONY: fit-quick
fit-quick:  ## area and levels of the parts that changed since they were recorded (docs/fit.md)
	@QUICK=1 tests/fit/run
