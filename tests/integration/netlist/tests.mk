# SPDX-License-Identifier: Apache-2.0
# The NIC as Yosys reads it: the netlist of a build, as Verilog again, Verilated.
#
#   make netlist                                              the model, of the 64-bit NIC
#   CAIRN_MODEL_DIR=build/lib/netlist build/integration/...   any program of the simulator with it
#   make test-netlist                                         its tests (6 minutes of building)
#   make test-netlist CONFIG=small                            of that build: build/lib/netlist/small
#   make test NETTEST=1                                       with all others
#   make test-netlist-units                                   unit tests of the 512-bit subsystems with theirs
#   make test-unit YOSYS=1 TEST=test_x                        any unit test with that of its top
NETTEST ?= 0
NET_BUILD := $(or $(CONFIG),nic64)
NET_WIDTH := $(call config_part,$(call config_row,$(NET_BUILD)),2)
NET_DIR := $(if $(CONFIG),/$(CONFIG))
# (a module's file has its name)
NETLIST := $(BUILD)/netlist/$(NET_BUILD)/cairn_nic_net.sv
NETLIST_MODEL := $(BUILD)/lib/netlist$(NET_DIR)/cairn-model-$(NET_WIDTH)$(SIM_SUFFIX).so
NETLIST_RTL := $(call config_model,$(call config_row,$(NET_BUILD)))

$(NETLIST): tests/lib/netlist.py tests/lib/rtl.py tests/lib/configs.py rtl/builds.def
	@echo "  YOSYS $(NET_BUILD)"
	@tests/lib/netlist.py --build $(NET_BUILD) --output $@ cairn_nic
-include $(NETLIST).d

$(eval $(call verilated_model,net$(NET_BUILD),cairn_nic_net,,$(NETLIST),-O1))
$(eval $(call sim_model_so,net$(NET_BUILD),$(NETLIST_MODEL)))
.PHONY: netlist
netlist: $(NETLIST_MODEL)  ## the NIC as Yosys reads it, as a model (CAIRN_MODEL_DIR=build/lib/netlist)

$(BUILD)/integration/test_netlist: tests/integration/netlist/test_netlist.c $(SIM_TEST_LIB) $(BUILD)/lib/libcairn.a \
		$(BUILD)/lib/libcairn_sim.a | $(NETLIST_RTL) $(NETLIST_MODEL) $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  integration/test_netlist"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(BUILD)/lib/libcairn_sim.a $(BUILD)/lib/libcairn.a \
		$(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka
-include $(BUILD)/integration/test_netlist.d

# Core programs with this model, which is slower: a test or two of each (lengths and large of moves), or ONLY='*'.
NET_CORE := moves:l* write:one send:mixed read:one
CORE_NETLIST := $(foreach t,$(NET_CORE),$(BUILD)/integration/netlist$(NET_DIR)/test_$(firstword $(subst :, ,$(t))))
NET_ONLY = $(patsubst $(1):%,%,$(filter $(1):%,$(NET_CORE)))
$(CORE_NETLIST): $(BUILD)/integration/netlist$(NET_DIR)/test_%: $(BUILD)/integration/test_% $(NETLIST_MODEL) tests/integration/netlist/tests.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nONLY="$${ONLY:-%s}" WIDTH=%s CAIRN_MODEL_DIR=%s BUNDLE=%s exec %s "$$@"\n' \
		'$(call NET_ONLY,$*)' $(NET_WIDTH) $(BUILD)/lib/netlist$(NET_DIR) $@.bundle $< > $@
	@chmod +x $@

# All of PCIe, beside the RTL.
ALL_NETLIST := $(BUILD)/integration/netlist$(NET_DIR)/all
$(ALL_NETLIST): $(BUILD)/integration/test_netlist $(NETLIST_MODEL) tests/integration/netlist/tests.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nWIDTH=%s RTL=%s NET=%s exec %s "$$@"\n' $(NET_WIDTH) $(dir $(NETLIST_RTL)) $(dir $(NETLIST_MODEL)) $< > $@
	@chmod +x $@

NETLIST_TESTS := $(ALL_NETLIST) $(CORE_NETLIST)
ifeq ($(NETTEST),1)
$(foreach t,$(NETLIST_TESTS),$(eval $(call test_program,integration,$(t),$(t))))
endif
.PHONY: test-netlist
test-netlist: $(NETLIST_TESTS)  ## send, write, read and all PCIe traffic: the netlist behaves as the RTL
	@TEST_TIMEOUT=$${TEST_TIMEOUT:-900} tests/run $(NETLIST_TESTS)

# The 512-bit NIC in parts: at that width the whole of it takes more memory and time than it shows. Each of the data
# path's subsystems with what is at random in its bench; lib has what they are made of.
NET_UNITS := test_responder test_rsp_atomic test_rsp_srq test_completer test_cmp_answers test_requester \
	test_tx_rx_loop_512 test_mr_service test_cq_service test_ctx_cache test_ctx_resident test_qp_store \
	test_qp_lookup test_rx_dispatch test_rqe_fetch test_atomic_unit test_wqe_random test_qp_scheduler \
	test_dma_read_512 test_dma_write_512 test_pcie_tlp_512 test_host_if_512 test_cmd_mailbox_512 test_cpu_cosim_barrel
.PHONY: test-netlist-units
test-netlist-units:  ## the subsystems of the 512-bit data path as Yosys reads them, in their unit tests
	@$(MAKE) --no-print-directory test-unit YOSYS=1 TEST="$(NET_UNITS)"
