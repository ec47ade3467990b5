# SPDX-License-Identifier: Apache-2.0
# Host side: TLP boundary, registers, counters, MSI-X, command mailbox.
$(eval $(call unit_test,host,test_pcie_tlp_512,pcie_tlp,-GDATA_W=512,,tests/unit/host/tlp_bench.c))
$(eval $(call unit_test,host,test_pcie_tlp_64,pcie_tlp,-GDATA_W=64,,tests/unit/host/tlp_bench.c))

$(UNIT)/host/test_pcie_tlp_512 $(UNIT)/host/test_pcie_tlp_64: tests/unit/host/test_pcie_tlp.c tests/unit/host/tlp_bench.h tests/unit/dma/tlp.h
$(eval $(call unit_test,host,test_counters,counters))
$(eval $(call unit_test,host,test_qp_counters,qp_counters,-GQPS_LOG2=8))
$(eval $(call unit_test,host,test_qp_counter_bank,qp_counter_bank,-GQPS_LOG2=7 -GCNTS_LOG2=1 -GSOURCES=2 -GK=2 -GCNT_W=4))
$(eval $(call unit_test,host,test_msix,msix))
$(eval $(call unit_test,host,test_csr,csr,-GDATA_W=512 -GQPS_LOG2=16 -GFEATURES=261 -GSIZES=524552))
$(eval $(call unit_test,host,test_cmd_mailbox_512,cmd_mailbox,-GDATA_W=512,,tests/unit/host/mbx_bench.c))
$(eval $(call unit_test,host,test_cmd_mailbox_64,cmd_mailbox,-GDATA_W=64,,tests/unit/host/mbx_bench.c))
$(eval $(call unit_test,host,test_fw_dma_512,cmd_mailbox,-GDATA_W=512,,tests/unit/host/mbx_bench.c))
$(eval $(call unit_test,host,test_fw_dma_64,cmd_mailbox,-GDATA_W=64,,tests/unit/host/mbx_bench.c))
$(eval $(call unit_test,host,test_fw_dma_small,cmd_mailbox,-GDATA_W=64 -GRAM_BYTES=65536,,tests/unit/host/mbx_bench.c,-DFW_RAM_BYTES=65536u))
$(UNIT)/host/test_cmd_mailbox_512 $(UNIT)/host/test_cmd_mailbox_64: tests/unit/host/test_cmd_mailbox.c tests/unit/host/mbx_bench.h
$(UNIT)/host/test_fw_dma_512 $(UNIT)/host/test_fw_dma_64 $(UNIT)/host/test_fw_dma_small: tests/unit/host/test_fw_dma.c tests/unit/host/mbx_bench.h
$(eval $(call unit_test,host,test_flr_ctl,flr_ctl,-GQUIET_LOG2=8))
$(eval $(call unit_test,host,test_flr_ctl_1,flr_ctl,-GRESET_CYCLES=1 -GQUIET_LOG2=8))
$(UNIT)/host/test_flr_ctl_1: tests/unit/host/test_flr_ctl.c
$(eval $(call unit_test,host,test_dev_mmio,dev_mmio,,,tests/unit/host/dev_bench.c))
$(UNIT)/host/test_dev_mmio: tests/unit/host/dev_bench.h
$(eval $(call unit_test,host,test_ctx_mmio,ctx_mmio))

# The host side with the simulator's root complex.
HOST_IF_C := tests/unit/host/hif_bench.c $(addprefix sim/,sim_pcie.c sim_pcie_up.c sim_pcie_down.c sim_pcie_host.c \
	sim_pcie_irq.c sim_pcie_fault.c sim_pcie_base.c sim_tlpmon.c sim_cfgspace.c sim_mem.c sim_mem_file.c)
$(eval $(call unit_test,host,test_host_if_512,host_if,-GDATA_W=512 -GFEATURES=72,,$(HOST_IF_C)))
$(eval $(call unit_test,host,test_host_if_64,host_if,-GDATA_W=64 -GFEATURES=72,,$(HOST_IF_C)))
$(UNIT)/host/test_host_if_512 $(UNIT)/host/test_host_if_64: tests/unit/host/test_host_if.c tests/unit/host/hif_bench.h
$(UNIT)/host/test_host_if_512 $(UNIT)/host/test_host_if_64: TEST_CFLAGS += -D_GNU_SOURCE
