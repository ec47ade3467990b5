# SPDX-License-Identifier: Apache-2.0
# Transport, end to end: NICs of the real model and libcairn in one process.
#
#   make test-integration
#   WIDTH=512 ONLY=lengths build/integration/test_moves
CORE_TESTS := $(patsubst %,$(BUILD)/integration/test_%,moves write send read errors loss net commands events checks ends faults unreliable wraps windows invalidate gone)
CORE_TESTS += $(patsubst %,$(BUILD)/integration/test_%,mcast sqe push hostile naks failing reset used_up shares answers loopback loop_ud neighbours start)
$(CORE_TESTS): $(BUILD)/integration/%: tests/integration/core/%.c $(RDMA_LIB) $(SIM_TEST_LIB) $(BUILD)/lib/libcairn.a \
		$(BUILD)/lib/libcairn_sim.a | $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  integration/$*"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(RDMA_LIB) $(BUILD)/lib/libcairn_sim.a \
		$(BUILD)/lib/libcairn.a $(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka
-include $(CORE_TESTS:=.d)

$(foreach t,$(CORE_TESTS),$(eval $(call test_program,integration,$(t),$(t))))

# With a scripted peer (peer.h).
PEER_LIB := $(UNIT)/core/peer.o $(patsubst tests/lib/%.c,$(UNIT)/lib/%.o,tests/lib/frame.c $(wildcard tests/lib/model*.c))
-include $(PEER_LIB:.o=.d)
$(UNIT)/core/peer.o: tests/integration/core/peer.c | $(HWGEN)
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) -c -o $@ $<
PEER_TESTS := $(patsubst %,$(BUILD)/integration/test_%,peer packets crowds datagrams drops flood left_out)
$(PEER_TESTS): $(BUILD)/integration/%: tests/integration/core/%.c $(PEER_LIB) $(RDMA_LIB) $(SIM_TEST_LIB) \
		$(BUILD)/lib/libcairn.a $(BUILD)/lib/libcairn_sim.a | $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  integration/$*"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(PEER_LIB) $(RDMA_LIB) $(BUILD)/lib/libcairn_sim.a \
		$(BUILD)/lib/libcairn.a $(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka
-include $(PEER_TESTS:=.d)

$(foreach t,$(PEER_TESTS),$(eval $(call test_program,integration,$(t),$(t))))

# Of shared receive queues (srq.h).
SRQ_LIB := $(UNIT)/core/srq.o
-include $(SRQ_LIB:.o=.d)
$(SRQ_LIB): tests/integration/core/srq.c | $(HWGEN)
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) -c -o $@ $<
SRQ_TESTS := $(patsubst %,$(BUILD)/integration/test_%,srq srq_ends)
$(SRQ_TESTS): $(BUILD)/integration/%: tests/integration/core/%.c $(SRQ_LIB) $(RDMA_LIB) $(SIM_TEST_LIB) \
		$(BUILD)/lib/libcairn.a $(BUILD)/lib/libcairn_sim.a | $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  integration/$*"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(SRQ_LIB) $(RDMA_LIB) $(BUILD)/lib/libcairn_sim.a \
		$(BUILD)/lib/libcairn.a $(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka
-include $(SRQ_TESTS:=.d)

$(foreach t,$(SRQ_TESTS),$(eval $(call test_program,integration,$(t),$(t))))
