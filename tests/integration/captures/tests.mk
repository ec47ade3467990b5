# SPDX-License-Identifier: Apache-2.0
# Captures of Linux' software RDMA replayed into the RTL.
#
#   ONLY='loss_*client' build/integration/test_captures_all
#
# test_captures: losses, duplicates, reordering, damage, refusals; _ok: the others, one side of each; _all: by hand.
CAPT_SRC := $(wildcard tests/integration/captures/*.c) tests/lib/frame.c tests/lib/capture.c tests/lib/capture_scene.c \
	tests/lib/model_pkt.c
CAPT_TEST := $(BUILD)/integration/test_captures
CAPT_OBJS := $(patsubst %.c,$(UNIT)/capt/%.o,$(notdir $(CAPT_SRC)))
$(CAPT_OBJS): $(UNIT)/capt/%.o: | $(HWGEN)
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) -c -o $@ $(filter %/$*.c,$(CAPT_SRC))
$(foreach o,$(CAPT_SRC),$(eval $(UNIT)/capt/$(notdir $(o:.c=.o)): $(o)))
-include $(CAPT_OBJS:.o=.d)
$(CAPT_TEST): $(CAPT_OBJS) $(RDMA_LIB) $(SIM_TEST_LIB) $(BUILD)/lib/libcairn.a $(BUILD)/lib/libcairn_sim.a \
		| $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  integration/test_captures"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $(CAPT_OBJS) $(RDMA_LIB) $(BUILD)/lib/libcairn_sim.a \
		$(BUILD)/lib/libcairn.a $(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka

$(CAPT_TEST)_ok $(CAPT_TEST)_all: $(CAPT_TEST)
	@ln -sf $(<F) $@

$(eval $(call test_program,integration,$(CAPT_TEST),$(CAPT_TEST) $(CAPT_TEST)_all))
$(eval $(call test_program,integration,$(CAPT_TEST)_ok,$(CAPT_TEST)_ok))
