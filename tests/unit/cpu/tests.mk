# SPDX-License-Identifier: Apache-2.0
CPU_TB := tests/unit/cpu/cpu_tb.c
$(eval $(call unit_test,cpu,test_cpu_cosim,cpu_top,,,$(CPU_TB)))
$(eval $(call unit_test,cpu,test_cpu_traps,cpu_top,,,$(CPU_TB)))
$(eval $(call unit_test,cpu,test_cpu_irq,cpu_top,,,$(CPU_TB)))
$(eval $(call unit_test,cpu,test_cpu_bus,cpu_top,,,$(CPU_TB)))
$(eval $(call unit_test,cpu,test_cpu_alu,cpu_alu))
# with a barrel shifter, as at 512 bit
$(eval $(call unit_test,cpu,test_cpu_alu_barrel,cpu_alu,-GBARREL=1))
$(eval $(call unit_test,cpu,test_cpu_cosim_barrel,cpu_top,-GBARREL=1,,$(CPU_TB)))
# without counters, as in the NIC
$(eval $(call unit_test,cpu,test_cpu_no_counters,cpu_top,-GCOUNTERS=0,,$(CPU_TB)))
$(eval $(call c_test,cpu,test_fw_string))

$(eval $(call fw_program,cpu_selftest,tests/unit/cpu/selftest.c))
$(eval $(call unit_test,cpu,test_cpu_selftest,cpu_top,,,$(CPU_TB)))
$(UNIT)/cpu/test_cpu_selftest: $(FW_DIR)/cpu_selftest.ram

CPU_NETLIST := $(UNIT)/cpu/netlist/cpu_top_net.sv
CPU_SOURCES := rtl/hw/cairn_hw_pkg.sv rtl/cpu/cpu_pkg.sv $(filter-out %_pkg.sv,$(sort $(wildcard rtl/cpu/*.sv))) \
	rtl/lib/ram_1r1w.sv rtl/lib/ram_2r1w.sv
$(CPU_NETLIST): $(CPU_SOURCES) tests/unit/cpu/netlist.sh
	@echo "  YOSYS cpu_top"
	@tests/unit/cpu/netlist.sh cpu_top $@ $(CPU_SOURCES)
$(eval $(call unit_test,cpu,test_cpu_netlist,cpu_top_net,,$(CPU_NETLIST),$(CPU_TB)))
