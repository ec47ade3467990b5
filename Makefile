# SPDX-License-Identifier: Apache-2.0
# Cairn: build, test and measure everything.  `make help` lists the targets.
#
# Each area has a .mk file of its own.  It adds what `make all` builds to ALL and its own targets; tests are
# registered with the macros of tests/tests.mk.

BUILD ?= build
JOBS ?= 2
export BUILD
ALL :=
.DELETE_ON_ERROR:
all:

# Targets that a person types on a fresh machine install what is missing first: make builds deps.mk, which it
# includes, and then starts over.  DEPS=no skips that.
NEED_DEPS := all sim models driver firmware provider hw demo install test test-unit test-netlist programs bench lint formal synth interop vm pyverbs soak fuzz mutations coverage
ifneq ($(filter $(NEED_DEPS),$(or $(MAKECMDGOALS),all)),)
ifneq ($(DEPS),no)
include $(BUILD)/deps.mk
endif
endif
$(BUILD)/deps.mk: packages.txt tests/lib/deps.sh
	@tests/lib/deps.sh packages.txt
	@mkdir -p $(@D)
	@echo '# packages.txt is satisfied' > $@

# What only one long target needs, and is large: tests/<target>/packages.txt.
ifneq ($(filter programs,$(MAKECMDGOALS)),)
ifneq ($(DEPS),no)
include $(BUILD)/deps-programs.mk
endif
endif
$(BUILD)/deps-%.mk: tests/%/packages.txt tests/lib/deps.sh
	@tests/lib/deps.sh $<
	@mkdir -p $(@D)
	@echo '# $< is satisfied' > $@

include rtl/rtl.mk
include tests/lib/verilate.mk
include sim/sim.mk
include driver/driver.mk
include libprovider/provider.mk
include firmware/firmware.mk
include tests/tests.mk

.PHONY: all deps demo test lint house synth install clean format help
all: $(ALL)  ## build everything

deps:  ## install the Debian packages that are missing (packages.txt)
	@tests/lib/deps.sh packages.txt

demo: all  ## an unmodified verbs program over two simulated NICs, data checked
	@tests/demo

# Build failures do not keep the tests that could be built from running; they count as one failed test.
test:  ## everything CI runs; ends with "N passed, N failed" [CONFIG=: what applies to a build of rtl/builds.def]
	@status=0; $(MAKE) --no-print-directory -k -j$(JOBS) all $(if $(CONFIG),tests-build-config,tests-build) || status=$$?; \
		BUILD_STATUS=$$status TEST_TIMEOUT=$${TEST_TIMEOUT:-1800} tests/run $(TEST_PROGRAMS)

# The objects are of the folders that lint_floors.py lists.
lint: $(HWGEN) $(FW_OBJS_cairn_fw)  ## RTL in Verilator and Yosys, form and floors of all sources, generated files up to date
	@TEST_TIMEOUT=$${TEST_TIMEOUT:-3000} tests/run tests/lib/check_hw tests/lib/lint_style.py tests/lib/lint_form.py \
		tests/lib/lint_docs.py tests/lib/lint_floors.py tests/lib/lint_rtl.py

house:  ## figures of the form of the tree: ports, widths typed by hand, circles of files, long blocks and lines
	@tests/lib/house.py

# SYNTH_FAMILIES="ecp5 xcup" maps to cells of FPGAs: slow for the whole NIC.
SYNTH_FAMILIES ?= generic
synth:  ## Yosys: cells and RAM bits of each module [WIDTH=64|512] [TOPS=] [SYNTH_FAMILIES="generic ecp5 xcup"]
	@set -e; for family in $(SYNTH_FAMILIES); do for width in $(or $(WIDTH),64 512); do \
		echo "$$family, DATA_W $$width"; \
		tests/lib/synth.py --family $$family --width $$width $(TOPS); \
	done; done

# The long ones are scripts: tests/<target>/run.  Those with a PC in QEMU do with less than all, fit needs nothing built.
LONG := $(patsubst tests/%/run,%,$(wildcard tests/*/run))
GUESTS := interop vm
.PHONY: $(LONG)
$(filter-out $(GUESTS) fit,$(LONG)): all
$(GUESTS): $(PROGRAMS_NEED)
$(LONG):
	@tests/$@/run

# What is installed finds the rest beside itself, so DESTDIR may become any place.
INSTALL_TO = $(DESTDIR)$(or $(PREFIX),/usr/local)
install: all  ## tool, libraries, models, firmware, manual pages [PREFIX=/usr/local] [DESTDIR=]
	install -D -t $(INSTALL_TO)/bin $(BUILD)/bin/cairn
	install -D -m 644 -t $(INSTALL_TO)/lib $(BUILD)/lib/libcairn.a $(BUILD)/lib/libcairn.so $(BUILD)/lib/libcairn-verbs.so
	install -D -m 644 -t $(INSTALL_TO)/lib/cairn $(SIM_MODELS) $(BUILD)/firmware/cairn_fw.bin
	install -D -m 644 -t $(INSTALL_TO)/lib/cairn/trace $(TRACE_SCRIPTS)
	install -D -m 644 -t $(INSTALL_TO)/lib/cairn/trace/page $(TRACE_PAGE)
	install -D -m 644 -t $(INSTALL_TO)/include driver/cairn.h libprovider/cairndv.h rtl/hw/cairn_hw.h rtl/hw/cairn_bits.h
	install -D -m 644 -t $(INSTALL_TO)/share/man/man1 docs/man/*.1

format:  ## clang-format on FILES=
	clang-format -i $(FILES)

clean:  ## remove all that was built
	rm -rf $(BUILD)

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | sort -u | expand -t 18
	@for t in $(LONG); do sed -n "2,4s/^# *make help: */  $$t\t/p" tests/$$t/run | expand -t 18; done
