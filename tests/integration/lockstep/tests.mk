# SPDX-License-Identifier: Apache-2.0
# The RTL in lock-step with the golden model.
#
#   SEED=7 RUNS=20 ONLY=bad_wire build/integration/test_lockstep
LOCK_SRC := $(wildcard tests/integration/lockstep/*.c) tests/lib/frame.c $(wildcard tests/lib/model*.c)
LOCK_TEST := $(BUILD)/integration/test_lockstep
LOCK_OBJS := $(patsubst %.c,$(UNIT)/lock/%.o,$(notdir $(LOCK_SRC)))
$(LOCK_OBJS): $(UNIT)/lock/%.o: | $(HWGEN)
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) -c -o $@ $(filter %/$*.c,$(LOCK_SRC))
$(foreach o,$(LOCK_SRC),$(eval $(UNIT)/lock/$(notdir $(o:.c=.o)): $(o)))
-include $(LOCK_OBJS:.o=.d)
$(LOCK_TEST): $(LOCK_OBJS) $(RDMA_LIB) $(SIM_TEST_LIB) $(BUILD)/lib/libcairn.a $(BUILD)/lib/libcairn_sim.a \
		| $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  integration/test_lockstep"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $(LOCK_OBJS) $(RDMA_LIB) $(BUILD)/lib/libcairn_sim.a \
		$(BUILD)/lib/libcairn.a $(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka

$(eval $(call test_program,integration,$(LOCK_TEST),$(LOCK_TEST)))
