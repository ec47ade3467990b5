# SPDX-License-Identifier: Apache-2.0
REQ_WORLD := $(addprefix tests/unit/send/requester/,req_world.c req_wqe.c req_expect.c)
$(eval $(call unit_test,send/requester,test_requester,requester_tb,-GDATA_W=512,tests/unit/send/requester/requester_tb.sv,$(REQ_WORLD)))
$(eval $(call unit_test,send/requester,test_requester_64,requester_tb,-GDATA_W=64,tests/unit/send/requester/requester_tb.sv,$(REQ_WORLD)))
$(eval $(call unit_test,send/requester,test_req_ops,requester_tb,-GDATA_W=64,tests/unit/send/requester/requester_tb.sv,$(REQ_WORLD)))
$(eval $(call unit_test,send/requester,test_req_change,requester_tb,-GDATA_W=64,tests/unit/send/requester/requester_tb.sv,$(REQ_WORLD)))
$(eval $(call unit_test,send/requester,test_req_wraps,requester_tb,-GDATA_W=64,tests/unit/send/requester/requester_tb.sv,$(REQ_WORLD)))
$(eval $(call unit_test,send/requester,test_req_sent,req_sent,-GQPS_LOG2=4))
$(eval $(call unit_test,send/requester,test_req_txerr,req_txerr,-GQPS_LOG2=4))
$(eval $(call unit_test,send/requester,test_req_missed,req_missed,))
$(eval $(call unit_test,send/requester,test_req_look,req_look))
$(eval $(call unit_test,send/requester,test_req_mr_wait,req_mr_wait,))
$(eval $(call unit_test,send/requester,test_req_reads,req_reads,-GQPS_LOG2=4 -GROOM=24 -GHOLD=4))

$(UNIT)/send/requester/test_requester_64: tests/unit/send/requester/test_requester.c
$(eval $(call unit_test,send/requester,test_req_gids,req_gids,))
$(eval $(call unit_test,send/requester,test_req_mark,req_mark,))
$(eval $(call unit_test,send/requester,test_req_inline,req_inline,-GDATA_W=512))
$(eval $(call unit_test,send/requester,test_req_inline_64,req_inline,-GDATA_W=64))
$(eval $(call unit_test,send/requester,test_req_inline_parts,req_inline,-GDATA_W=64 -GWORD=128))
$(eval $(call unit_test,send/requester,test_req_hand,req_hand))
$(eval $(call unit_test,send/requester,test_req_block,req_block))
$(eval $(call unit_test,send/requester,test_req_block_parts,req_block,-GWORD=128))
$(UNIT)/send/requester/test_req_block_parts: tests/unit/send/requester/test_req_block.c
