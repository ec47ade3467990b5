# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,ctx,test_ctx_cache,ctx_cache_tb,-GDATA_W=512 -GSETS=2,tests/unit/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,ctx,test_ctx_cache_64,ctx_cache_tb,-GDATA_W=64 -GSETS=1 -GLATER=1,tests/unit/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,ctx,test_ctx_init,ctx_cache_tb,-GDATA_W=512 -GSETS=2,tests/unit/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,ctx,test_ctx_asks,ctx_cache_tb,-GDATA_W=512 -GSETS=1,tests/unit/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,ctx,test_pend_queue,pend_queue,-GID_W=3 -GNSRC=2))
$(eval $(call unit_test,ctx,test_pend_strobe,pend_queue,-GID_W=3 -GNSRC=2 -GSTROBE=1))
$(eval $(call unit_test,ctx,test_park_buffer,park_buffer,-GWIDTH=32 -GENTRIES=32 -GSLOTS=8))
RES_BENCH_C := tests/unit/ctx/res_bench.c tests/unit/rx/int_records.c
$(eval $(call unit_test,ctx,test_rsp_res_cache,rsp_res_cache,-GDATA_W=512 -GLINES=4,,$(RES_BENCH_C)))
$(eval $(call unit_test,ctx,test_rsp_res_cache_64,rsp_res_cache,-GDATA_W=64 -GLINES=4,,$(RES_BENCH_C)))

$(UNIT)/ctx/test_rsp_res_cache $(UNIT)/ctx/test_rsp_res_cache_64: tests/unit/ctx/test_rsp_res_cache.c tests/unit/ctx/res_bench.h
$(UNIT)/ctx/test_ctx_cache_64: tests/unit/ctx/test_ctx_cache.c
