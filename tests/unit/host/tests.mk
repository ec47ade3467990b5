# SPDX-License-Identifier: Apache-2.0
# Host side: TLP boundary, registers, counters, MSI-X, command mailbox.
$(eval $(call unit_test,host,test_pcie_tlp_512,pcie_tlp,-GDATA_W=512,,tests/unit/host/tlp_bench.c))
$(eval $(call unit_test,host,test_pcie_tlp_64,pcie_tlp,-GDATA_W=64,,tests/unit/host/tlp_bench.c))

$(UNIT)/host/test_pcie_tlp_512 $(UNIT)/host/test_pcie_tlp_64: tests/unit/host/test_pcie_tlp.c tests/unit/host/tlp_bench.h tests/unit/dma/tlp.h
$(eval $(call unit_test,host,test_counters,counters))
$(eval $(call unit_test,host,test_msix,msix))
$(eval $(call unit_test,host,test_csr,csr,-GDATA_W=512 -GQPS_LOG2=16 -GFEATURES=261))
$(eval $(call unit_test,host,test_cmd_mailbox_512,cmd_mailbox,-GDATA_W=512))
$(eval $(call unit_test,host,test_cmd_mailbox_64,cmd_mailbox,-GDATA_W=64))
$(UNIT)/host/test_cmd_mailbox_512 $(UNIT)/host/test_cmd_mailbox_64: tests/unit/host/test_cmd_mailbox.c
