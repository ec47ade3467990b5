# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,ctx,test_ctx_cache,ctx_cache_tb,-GDATA_W=512 -GSETS=2,tests/unit/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,ctx,test_ctx_cache_64,ctx_cache_tb,-GDATA_W=64 -GSETS=1,tests/unit/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,ctx,test_pend_queue,pend_queue,-GID_W=3 -GNSRC=2))
$(eval $(call unit_test,ctx,test_park_buffer,park_buffer,-GWIDTH=32 -GENTRIES=32 -GSLOTS=8))

$(UNIT)/ctx/test_ctx_cache_64: tests/unit/ctx/test_ctx_cache.c
