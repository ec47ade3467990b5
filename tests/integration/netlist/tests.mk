# SPDX-License-Identifier: Apache-2.0
# The NIC as Yosys reads it: the netlist of the 64-bit build, as Verilog again, Verilated.
#
#   make netlist                                              the model
#   CAIRN_MODEL_DIR=build/lib/netlist build/integration/...   any program of the simulator with it
#   make test-netlist                                         its tests (6 minutes of building)
#   make test NETTEST=1                                       with all others
NETTEST ?= 0
NETLIST := $(BUILD)/netlist/cairn_nic_net.sv
NETLIST_MODEL := $(BUILD)/lib/netlist/cairn-model-64$(SIM_SUFFIX).so

$(NETLIST): tests/lib/netlist.py tests/lib/rtl.py
	@echo "  YOSYS cairn_nic"
	@tests/lib/netlist.py --width 64 --output $@ cairn_nic
-include $(NETLIST).d

$(eval $(call verilated_model,nicnet64,cairn_nic_net,,$(NETLIST),-O1))
$(eval $(call sim_model_so,nicnet64,$(NETLIST_MODEL)))
.PHONY: netlist
netlist: $(NETLIST_MODEL)  ## the 64-bit NIC as Yosys reads it, as a model (CAIRN_MODEL_DIR=build/lib/netlist)

$(BUILD)/integration/test_netlist: tests/integration/netlist/test_netlist.c $(SIM_TEST_LIB) $(BUILD)/lib/libcairn.a \
		$(BUILD)/lib/libcairn_sim.a | $(BUILD)/lib/cairn-model-64.so $(NETLIST_MODEL) $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  integration/test_netlist"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(BUILD)/lib/libcairn_sim.a $(BUILD)/lib/libcairn.a \
		$(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka
-include $(BUILD)/integration/test_netlist.d

# The core programs with this model, which is slower: their tests `lengths` and `large`, or ONLY='*'.
CORE_NETLIST := $(patsubst %,$(BUILD)/integration/netlist/test_%,write send read)
$(CORE_NETLIST): $(BUILD)/integration/netlist/%: $(BUILD)/integration/% $(NETLIST_MODEL) tests/integration/netlist/tests.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nONLY="$${ONLY:-l*}" WIDTH=64 CAIRN_MODEL_DIR=%s BUNDLE=%s exec %s "$$@"\n' $(BUILD)/lib/netlist $@.bundle $< > $@
	@chmod +x $@

NETLIST_TESTS := $(BUILD)/integration/test_netlist $(CORE_NETLIST)
ifeq ($(NETTEST),1)
$(foreach t,$(NETLIST_TESTS),$(eval $(call test_program,integration,$(t),$(t))))
endif
.PHONY: test-netlist
test-netlist: $(NETLIST_TESTS)  ## send, write, read and all PCIe traffic: the netlist behaves as the RTL
	@tests/run $(NETLIST_TESTS)
