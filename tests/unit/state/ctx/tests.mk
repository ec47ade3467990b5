# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,state/ctx,test_ctx_cache,ctx_cache_tb,-GDATA_W=512 -GSETS=2,tests/unit/state/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,state/ctx,test_ctx_cache_64,ctx_cache_tb,-GDATA_W=64 -GSETS=1 -GLATER=1,tests/unit/state/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,state/ctx,test_ctx_cache_pins,ctx_cache_tb,-GDATA_W=512 -GSETS=2 -GPINS_RAM=1,tests/unit/state/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,state/ctx,test_ctx_init,ctx_cache_tb,-GDATA_W=512 -GSETS=2,tests/unit/state/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,state/ctx,test_ctx_asks,ctx_cache_tb,-GDATA_W=512 -GSETS=1,tests/unit/state/ctx/ctx_cache_tb.sv))
$(eval $(call unit_test,state/ctx,test_ctx_turns,ctx_turns,-GN=4 -GTWO=2 -GAW=4))
$(eval $(call unit_test,state/ctx,test_ctx_words,ctx_words,))
$(eval $(call unit_test,state/ctx,test_ctx_words_few,ctx_words,-GWORDS=10,,,-DWORDS=10u))
$(UNIT)/state/ctx/test_ctx_words_few: tests/unit/state/ctx/test_ctx_words.c
$(eval $(call unit_test,state/ctx,test_ctx_resident,ctx_resident,-GSLOTS=16 -GNSRC=3))
$(eval $(call unit_test,state/ctx,test_qp_store,qp_store,-GSLOTS=16))
$(eval $(call unit_test,state/ctx,test_qp_parts,qp_parts,-GSLOTS=16))
$(eval $(call unit_test,state/ctx,test_qp_parts_large,qp_parts,-GSLOTS=4096,,,-DSLOTS=4096u))
$(UNIT)/state/ctx/test_qp_parts_large: tests/unit/state/ctx/test_qp_parts.c
$(UNIT)/state/ctx/test_qp_store $(UNIT)/state/ctx/test_qp_parts $(UNIT)/state/ctx/test_qp_parts_large: tests/unit/state/ctx/qp_owners.h

$(UNIT)/state/ctx/test_ctx_cache_64 $(UNIT)/state/ctx/test_ctx_cache_pins: tests/unit/state/ctx/test_ctx_cache.c
