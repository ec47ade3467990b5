# SPDX-License-Identifier: Apache-2.0
RSP_TEST_C := tests/unit/transport_rsp/rsp_env.c tests/unit/transport_rsp/rsp_env_read.c \
	tests/unit/transport_rsp/rsp_env_hide.c tests/unit/transport_rsp/rsp_env_mr.c \
	tests/unit/transport_rsp/rsp_peer.c
RSP_ONE_C := tests/unit/transport_rsp/rsp_one.c
RSP_TB := tests/unit/transport_rsp/responder_tb.sv

$(eval $(call unit_test,transport_rsp,test_responder,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C)))
$(eval $(call unit_test,transport_rsp,test_rsp_rows,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,transport_rsp,test_rsp_seq,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,transport_rsp,test_rsp_dgram,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,transport_rsp,test_rsp_matrix,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,transport_rsp,test_rsp_wraps,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,transport_rsp,test_rsp_large,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/transport_rsp/rsp_srq.c))
$(eval $(call unit_test,transport_rsp,test_rsp_slots,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,transport_rsp,test_rsp_atomic,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,transport_rsp,test_rsp_srq,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/transport_rsp/rsp_srq.c))
$(eval $(call unit_test,transport_rsp,test_rsp_rate,responder_tb,-GDATA_W=512 -GRUNS=32 -GONES=128 -GWINDOW=128 -GAHEAD=48,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/transport_rsp/rsp_srq.c))
$(eval $(call unit_test,transport_rsp,test_rsp_stall,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/transport_rsp/rsp_srq.c))
$(eval $(call unit_test,transport_rsp,test_rsp_odd,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/transport_rsp/rsp_srq.c))
$(eval $(call unit_test,transport_rsp,test_rsp_share,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
RSP_MODEL_C := $(patsubst %,tests/lib/model%.c,_ans _cpl _dgram _mem _pkt _req _rsp) tests/lib/model.c
$(eval $(call unit_test,transport_rsp,test_rsp_model,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) $(RSP_MODEL_C)))
$(eval $(call unit_test,transport_rsp,test_responder_64,responder_tb,-GDATA_W=64,$(RSP_TB),$(RSP_TEST_C)))
$(eval $(call unit_test,transport_rsp,test_rsp_stall_64,responder_tb,-GDATA_W=64,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/transport_rsp/rsp_srq.c))
$(eval $(call unit_test,transport_rsp,test_atomic_unit,atomic_unit_tb,-GDATA_W=512,tests/unit/transport_rsp/atomic_unit_tb.sv))
$(UNIT)/transport_rsp/test_responder_64: tests/unit/transport_rsp/test_responder.c
$(UNIT)/transport_rsp/test_rsp_stall_64: tests/unit/transport_rsp/test_rsp_stall.c
