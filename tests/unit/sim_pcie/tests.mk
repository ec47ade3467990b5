# SPDX-License-Identifier: Apache-2.0
# Root complex, host memory, configuration space and TLP monitor of the simulator, without RTL.
SIM_PCIE_C := $(addprefix sim/,sim_pcie.c sim_pcie_up.c sim_pcie_down.c sim_pcie_host.c sim_pcie_irq.c \
	sim_pcie_fault.c sim_pcie_base.c sim_pcie_opt.c sim_tlpmon.c sim_cfgspace.c sim_mem.c sim_mem_file.c)
SIM_PCIE_TEST_C := $(SIM_PCIE_C) tests/unit/sim_pcie/fake_core.c
SIM_PCIE_CFLAGS := -D_GNU_SOURCE -Itests/unit/sim_pcie

$(eval $(call c_test,sim_pcie,test_sim_mem,sim/sim_mem.c sim/sim_mem_file.c,$(SIM_PCIE_CFLAGS)))
$(eval $(call c_test,sim_pcie,test_sim_cfgspace,sim/sim_cfgspace.c,$(SIM_PCIE_CFLAGS)))
$(eval $(call c_test,sim_pcie,test_sim_pcie,$(SIM_PCIE_TEST_C),$(SIM_PCIE_CFLAGS)))
$(eval $(call c_test,sim_pcie,test_sim_pcie_order,$(SIM_PCIE_TEST_C),$(SIM_PCIE_CFLAGS)))
$(eval $(call c_test,sim_pcie,test_sim_pcie_host,$(SIM_PCIE_TEST_C),$(SIM_PCIE_CFLAGS)))
$(eval $(call c_test,sim_pcie,test_sim_tlpmon,$(SIM_PCIE_TEST_C),$(SIM_PCIE_CFLAGS)))
