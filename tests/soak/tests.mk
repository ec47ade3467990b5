# SPDX-License-Identifier: Apache-2.0
# make soak; a short one is in make test.
SOAK := $(BUILD)/integration/soak
$(SOAK): tests/soak/soak.c $(RDMA_LIB) $(SIM_TEST_LIB) $(BUILD)/lib/libcairn.a $(BUILD)/lib/libcairn_sim.a \
		| $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  soak"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(RDMA_LIB) $(BUILD)/lib/libcairn_sim.a \
		$(BUILD)/lib/libcairn.a $(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka
-include $(SOAK).d

soak: $(SOAK)
$(eval $(call test_program,soak,tests/soak/short,$(SOAK)))
