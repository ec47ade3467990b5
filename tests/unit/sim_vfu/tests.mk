# SPDX-License-Identifier: Apache-2.0
# vfio-user server of the simulator, with a scripted client and a core in C.  JSON by libjansson.
SIM_VFU_TEST_C := $(SIM_PCIE_TEST_C) $(addprefix sim/,sim_vfu.c sim_vfu_conn.c sim_vfu_msg.c sim_vfu_irq.c \
	sim_vfu_dma.c sim_vfu_log.c) tests/unit/sim_vfu/vfu_client.c
SIM_VFU_CFLAGS := $(SIM_PCIE_CFLAGS) -Itests/unit/sim_vfu

$(eval $(call c_test,sim_vfu,test_sim_vfu,$(SIM_VFU_TEST_C),$(SIM_VFU_CFLAGS),-ljansson))
$(eval $(call c_test,sim_vfu,test_sim_vfu_dma,$(SIM_VFU_TEST_C),$(SIM_VFU_CFLAGS),-ljansson))
$(eval $(call c_test,sim_vfu,test_sim_vfu_bad,$(SIM_VFU_TEST_C),$(SIM_VFU_CFLAGS),-ljansson))
$(eval $(call c_test,sim_vfu,test_sim_vfu_trust,$(SIM_VFU_TEST_C),$(SIM_VFU_CFLAGS),-ljansson))
$(eval $(call c_test,sim_vfu,test_sim_patience))
