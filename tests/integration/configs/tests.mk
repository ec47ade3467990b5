# SPDX-License-Identifier: Apache-2.0
# Programs of the other folders with a build of rtl/builds.def (docs/builds.md).
#
#   make test CONFIG=small                     all of them; what the build has not is skipped, with the reason
#   build/integration/small/test_write         one; ONLY=, SEED= as ever
#
# `make test` has the short form for small.  Each: its name, and the features that all of it is about.
CONFIG_PROGRAMS := left_out write send read moves errors net commands events checks wraps:ATOMIC datagrams loss peer:ATOMIC \
	reset start ends:UC faults:ATOMIC,MW failing:ATOMIC naks:ATOMIC shares:ATOMIC packets:ATOMIC hostile:ATOMIC drops:UC \
	sqe:UC loopback:ATOMIC,SRQ,UC loop_ud:MCAST neighbours crowds used_up:SRQ srq:SRQ srq_ends:SRQ windows:MW invalidate:MW \
	gone:MW mcast:MCAST unreliable:UC push:PUSH lockstep
CONFIG_SHORT := left_out send lockstep
CONFIG_SHORT_left_out := *
CONFIG_SHORT_send := *
CONFIG_SHORT_lockstep := *wire

config_comma := ,
# <config>, <width>, <program>, <tests it runs or nothing>, <features>
define config_test
$(BUILD)/integration/$(1)/test_$(3): $(BUILD)/integration/test_$(3) tests/integration/configs/tests.mk | \
		$(call config_model,$(call config_row,$(1)))
	@mkdir -p $$(@D)
	@printf '#!/bin/sh\nBUILD=$(BUILD) $(4) exec tests/integration/configs/run $(1) $(2) $$< $$@.bundle $(5)\n' > $$@
	@chmod +x $$@
endef
config_name = $(firstword $(subst :, ,$(1)))
config_needs = $(subst $(config_comma), ,$(word 2,$(subst :, ,$(1))))
config_width = $(call config_part,$(call config_row,$(1)),2)

# What this call is for: CONFIG, or the short form of small.
ifneq ($(CONFIG),)
$(foreach p,$(CONFIG_PROGRAMS),$(eval $(call config_test,$(CONFIG),$(call config_width,$(CONFIG)),$(call config_name,$(p)),,$(call config_needs,$(p)))))
CONFIG_TESTS := $(foreach p,$(CONFIG_PROGRAMS),$(BUILD)/integration/$(CONFIG)/test_$(call config_name,$(p))) \
	$(BUILD)/integration/$(CONFIG)/demo
$(BUILD)/integration/$(CONFIG)/demo: tests/integration/configs/tests.mk | $(SIM_MODELS)
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nBUILD=$(BUILD) exec tests/integration/configs/run $(CONFIG) $(call config_width,$(CONFIG)) tests/demo $@.bundle\n' > $@
	@chmod +x $@
else
$(foreach p,$(CONFIG_SHORT),$(eval $(call config_test,small,64,$(p),ONLY="$$$${ONLY:-$(CONFIG_SHORT_$(p))}" RUNS="$$$${RUNS:-1}",)))
$(foreach p,$(CONFIG_SHORT),$(eval $(call test_program,integration,$(BUILD)/integration/small/test_$(p),$(BUILD)/integration/small/test_$(p))))
endif
.PHONY: tests-build-config
tests-build-config: $(CONFIG_TESTS)
