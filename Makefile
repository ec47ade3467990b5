# SPDX-License-Identifier: Apache-2.0
# Cairn: build, test and measure everything.  `make help` lists the targets.

BUILD ?= build
all:

include rtl/rtl.mk
include tests/lib/verilate.mk
include tests/tests.mk

.PHONY: all clean
clean:
	rm -rf $(BUILD)
