# SPDX-License-Identifier: Apache-2.0
# The NIC itself, with its firmware, with and without jumps over idle time.
$(BUILD)/integration/test_jump: tests/integration/jump/test_jump.c $(SIM_TEST_LIB) $(BUILD)/lib/libcairn.a \
		$(BUILD)/lib/libcairn_sim.a | $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  integration/test_jump"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(BUILD)/lib/libcairn_sim.a $(BUILD)/lib/libcairn.a \
		$(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka
-include $(BUILD)/integration/test_jump.d
$(eval $(call test_program,integration,$(BUILD)/integration/test_jump,$(BUILD)/integration/test_jump))
