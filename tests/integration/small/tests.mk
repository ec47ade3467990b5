# SPDX-License-Identifier: Apache-2.0
# More QPs than the context cache holds: core programs with a device whose cache has 8 entries (sim.mk), also with loss.
# Each program and its test; ONLY= as ever.
SMALL_MODEL := $(BUILD)/lib/small/cairn-model-64$(SIM_SUFFIX).so

# <program>, <test>
define small_test
$(BUILD)/integration/small/test_$(1): $(BUILD)/integration/test_$(1) $(SMALL_MODEL) tests/integration/small/tests.mk
	@mkdir -p $$(@D)
	@printf '#!/bin/sh\nONLY="$$$${ONLY:-$(2)}" WIDTH=64 CAIRN_MODEL_DIR=%s BUNDLE=%s exec %s "$$$$@"\n' $(BUILD)/lib/small $$@.bundle $$< > $$@
	@chmod +x $$@
$$(eval $$(call test_program,integration,$(BUILD)/integration/small/test_$(1),$(BUILD)/integration/small/test_$(1)))
endef
$(eval $(call small_test,send,many_qps))
$(eval $(call small_test,loss,soak_many_qps))
