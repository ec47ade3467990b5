# SPDX-License-Identifier: Apache-2.0
# cairn replay; replay_fails is a test that fails.
REPLAY_FAILS := $(BUILD)/integration/replay_fails
$(REPLAY_FAILS): tests/integration/replay/fails.c $(RDMA_LIB) $(SIM_TEST_LIB) $(BUILD)/lib/libcairn.a \
		$(BUILD)/lib/libcairn_sim.a | $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  integration/replay_fails"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(RDMA_LIB) $(BUILD)/lib/libcairn_sim.a \
		$(BUILD)/lib/libcairn.a $(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka
-include $(REPLAY_FAILS).d

$(eval $(call test_program,integration,tests/integration/replay/test_replay.py,$(REPLAY_FAILS) $(TOOL) $(BUILD)/lib/cairn-model-64.so $(BUILD)/lib/libcairn-verbs.so $(STANDIN_MODELS)))
