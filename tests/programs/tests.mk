# SPDX-License-Identifier: Apache-2.0
# Unmodified verbs programs over cairn sim; `make programs` runs all of matrix.py.
PROGRAMS_NEED := $(TOOL) $(BUILD)/lib/cairn-model-64.so \
	$(BUILD)/lib/libcairn-verbs.so $(BUILD)/firmware/cairn_fw.bin
$(eval $(call test_program,programs,tests/programs/test_programs.py,$(PROGRAMS_NEED)))
$(eval $(call test_program,programs,tests/programs/test_killed.py,$(PROGRAMS_NEED)))
