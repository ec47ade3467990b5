# SPDX-License-Identifier: Apache-2.0
# Cairn: build, test and measure everything.  `make help` lists the targets.
#
# Each area has a .mk file of its own, read if it is there; it adds what `make all` builds to ALL, what
# `make test` runs besides the unit tests to TESTS, and its own targets.

BUILD ?= build
ALL :=
TESTS :=
export BUILD
all:

include rtl/rtl.mk
include tests/lib/verilate.mk
-include sim/sim.mk
-include driver/driver.mk
-include libprovider/provider.mk
-include firmware/firmware.mk
include tests/tests.mk

.PHONY: all clean
all: $(ALL)
clean:
	rm -rf $(BUILD) build-*
