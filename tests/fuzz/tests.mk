# SPDX-License-Identifier: Apache-2.0
# Fuzzers: a short run is in make test, make fuzz runs long.
FUZZ := $(BUILD)/integration/test_fuzz
# By name: tests/integration is read later.
FUZZ_LIB := $(RDMA_PARTS:%=$(UNIT)/lib/%.o) $(UNIT)/simlib/libcairnsim.a
FUZZ_C := $(wildcard tests/fuzz/*.c) tests/unit/rx/roce_frame.c
$(FUZZ): $(FUZZ_C) $(wildcard tests/fuzz/*.h tests/lib/*.h driver/*.h) $(FUZZ_LIB) $(BUILD)/lib/libcairn.a \
		$(BUILD)/lib/libcairn_sim.a | $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  fuzz"
	@$(TEST_CC) $(TEST_CFLAGS) -Itests/unit/rx -o $@ $(FUZZ_C) $(RDMA_LIB) $(BUILD)/lib/libcairn_sim.a \
		$(BUILD)/lib/libcairn.a $(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka

fuzz: $(FUZZ) $(UNIT)/firmware/test_fw_fuzz $(BUILD)/integration/test_commands
$(eval $(call test_program,fuzz,$(FUZZ),$(FUZZ)))
