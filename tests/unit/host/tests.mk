# SPDX-License-Identifier: Apache-2.0
# Host side: TLP boundary, registers, counters, MSI-X, command mailbox.
$(eval $(call unit_test,host,test_pcie_tlp_512,pcie_tlp,-GDATA_W=512,,tests/unit/host/tlp_bench.c))
$(eval $(call unit_test,host,test_pcie_tlp_64,pcie_tlp,-GDATA_W=64,,tests/unit/host/tlp_bench.c))

$(UNIT)/host/test_pcie_tlp_512 $(UNIT)/host/test_pcie_tlp_64: tests/unit/host/test_pcie_tlp.c tests/unit/host/tlp_bench.h tests/unit/dma/tlp.h
$(eval $(call unit_test,host,test_counters,counters))
$(eval $(call unit_test,host,test_msix,msix))
