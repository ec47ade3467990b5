# SPDX-License-Identifier: Apache-2.0
CPU_TB := tests/unit/cpu/cpu_tb.c
$(eval $(call unit_test,cpu,test_cpu_cosim,cpu_top,,,$(CPU_TB)))
$(eval $(call unit_test,cpu,test_cpu_traps,cpu_top,,,$(CPU_TB)))
$(eval $(call unit_test,cpu,test_cpu_irq,cpu_top,,,$(CPU_TB)))
$(eval $(call unit_test,cpu,test_cpu_bus,cpu_top,,,$(CPU_TB)))
$(eval $(call unit_test,cpu,test_cpu_alu,cpu_alu))

$(eval $(call fw_program,cpu_selftest,tests/unit/cpu/selftest.c))
$(eval $(call unit_test,cpu,test_cpu_selftest,cpu_top,,,$(CPU_TB)))
$(UNIT)/cpu/test_cpu_selftest: $(FW_DIR)/cpu_selftest.ram
