# SPDX-License-Identifier: Apache-2.0
# DMA engines.  Each test file is compiled for the widest and the narrowest data path.
$(eval $(call unit_test,dma,test_dma_read_512,dma_read,-GDATA_W=512 -GTAGS_LOG2=8,,tests/unit/dma/rd_bench.c))
$(eval $(call unit_test,dma,test_dma_read_64,dma_read,-GDATA_W=64 -GTAGS_LOG2=6,,tests/unit/dma/rd_bench.c))
$(eval $(call unit_test,dma,test_dma_write_512,dma_write,-GDATA_W=512,,tests/unit/dma/wr_bench.c))
$(eval $(call unit_test,dma,test_dma_write_64,dma_write,-GDATA_W=64,,tests/unit/dma/wr_bench.c))
$(eval $(call unit_test,dma,test_dma_split,dma_split,-GMETA_W=8))
$(eval $(call unit_test,dma,test_dma_cut,dma_split,-GMETA_W=8 -GFULL=0))

$(UNIT)/dma/test_dma_cut: tests/unit/dma/test_dma_split.c
$(UNIT)/dma/test_dma_read_512 $(UNIT)/dma/test_dma_read_64: tests/unit/dma/test_dma_read.c $(wildcard tests/unit/dma/*.h)
$(UNIT)/dma/test_dma_write_512 $(UNIT)/dma/test_dma_write_64: tests/unit/dma/test_dma_write.c $(wildcard tests/unit/dma/*.h)
