# SPDX-License-Identifier: Apache-2.0
RSP_TEST_C := tests/unit/receive/responder/rsp_env.c tests/unit/receive/responder/rsp_env_read.c \
	tests/unit/receive/responder/rsp_env_hide.c tests/unit/receive/responder/rsp_env_mr.c \
	tests/unit/receive/responder/rsp_peer.c
RSP_ONE_C := tests/unit/receive/responder/rsp_one.c
RSP_TB := tests/unit/receive/responder/responder_tb.sv

$(eval $(call unit_test,receive/responder,test_responder,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C)))
$(eval $(call unit_test,receive/responder,test_rsp_rows,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,receive/responder,test_rsp_seq,responder_tb,-GDATA_W=512 -GRUNS=16,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,receive/responder,test_rsp_dgram,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,receive/responder,test_rsp_matrix,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,receive/responder,test_rsp_wraps,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,receive/responder,test_rsp_large,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/receive/responder/rsp_srq.c))
$(eval $(call unit_test,receive/responder,test_rsp_slots,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,receive/responder,test_rsp_atomic,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,receive/responder,test_rsp_srq,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/receive/responder/rsp_srq.c))
$(eval $(call unit_test,receive/responder,test_rsp_rate,responder_tb,-GDATA_W=512 -GRUNS=64 -GONES=256 -GWINDOW=256 -GAHEAD=192,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/receive/responder/rsp_srq.c))
$(eval $(call unit_test,receive/responder,test_rsp_stall,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/receive/responder/rsp_srq.c))
$(eval $(call unit_test,receive/responder,test_rsp_odd,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/receive/responder/rsp_srq.c))
$(eval $(call unit_test,receive/responder,test_rsp_share,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,receive/responder,test_rsp_ack,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,receive/responder,test_rsp_ack_port,rsp_ack))
$(eval $(call unit_test,receive/responder,test_rsp_reads,responder_tb,-GDATA_W=512 -GLINES=256,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C)))
$(eval $(call unit_test,receive/responder,test_rsp_ack_queue,rsp_ack))
$(eval $(call unit_test,receive/responder,test_rsp_ack_one,rsp_ack_one))
$(UNIT)/receive/responder/test_rsp_ack_one: tests/unit/receive/responder/test_rsp_ack_port.c
$(eval $(call unit_test,receive/responder,test_rsp_held,rsp_held,-GSLOTS=8 -GCNT_W=5 -GCELL_N=7))
$(eval $(call unit_test,receive/responder,test_rsp_shares,rsp_shares,-GSLOTS=8 -GCNT_W=5 -GCELL_N=9))
$(eval $(call unit_test,receive/responder,test_rsp_now,rsp_now,-GSLOTS=8 -GDEPTH=4))
$(eval $(call unit_test,receive/responder,test_rsp_park,rsp_park,-GSLOTS=8 -GENTRIES=16 -GDEPTH=4))
$(eval $(call unit_test,receive/responder,test_rsp_pieces,rsp_pieces))
$(eval $(call unit_test,receive/responder,test_rsp_dup,rsp_dup,-GSLOTS=8))
$(eval $(call unit_test,receive/responder,test_rsp_behind,rsp_behind,-GSLOTS=8 -GMOST=4))
$(eval $(call unit_test,receive/responder,test_rsp_behind_many,rsp_behind,-GSLOTS=8 -GMOST=18))
$(UNIT)/receive/responder/test_rsp_behind_many: tests/unit/receive/responder/test_rsp_behind.c
$(eval $(call unit_test,receive/responder,test_rsp_parked,rsp_parked,-GSLOTS=8 -GENTRIES=16))
$(eval $(call unit_test,receive/responder,test_rsp_store,rsp_store,-GENTRIES=16))
$(eval $(call unit_test,receive/responder,test_rsp_have,rsp_have))
$(eval $(call unit_test,receive/responder,test_rsp_have_less,rsp_have,-GFEATURES=1413 -GQPN_W=7 -GSLOTS=64))
$(UNIT)/receive/responder/test_rsp_have_less: tests/unit/receive/responder/test_rsp_have.c
$(eval $(call unit_test,receive/responder,test_rsp_narrow,rsp_narrow,-GQPN_W=7 -GSLOTS=64))
$(eval $(call unit_test,receive/responder,test_rsp_fate,rsp_fate))
$(eval $(call unit_test,receive/responder,test_rsp_counts,rsp_counts))
$(eval $(call unit_test,receive/responder,test_rsp_wait,rsp_wait))
$(eval $(call unit_test,receive/responder,test_rsp_fresh,rsp_fresh,-GSLOTS=8))
$(eval $(call unit_test,receive/responder,test_rsp_atomics,rsp_atomics,-GSLOTS=8))
RSP_MODEL_C := $(patsubst %,tests/lib/model%.c,_ans _cpl _dgram _mem _pkt _req _rsp) tests/lib/model.c
$(eval $(call unit_test,receive/responder,test_rsp_model,responder_tb,-GDATA_W=512,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) $(RSP_MODEL_C)))
$(eval $(call unit_test,receive/responder,test_rsp_model_lanes,responder_tb,-GDATA_W=512 -GLANES=4,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) $(RSP_MODEL_C)))
$(eval $(call unit_test,receive/responder,test_rsp_stall_lanes,responder_tb,-GDATA_W=512 -GLANES=4,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/receive/responder/rsp_srq.c))
$(UNIT)/receive/responder/test_rsp_model_lanes: tests/unit/receive/responder/test_rsp_model.c
$(UNIT)/receive/responder/test_rsp_stall_lanes: tests/unit/receive/responder/test_rsp_stall.c
$(eval $(call unit_test,receive/responder,test_responder_64,responder_tb,-GDATA_W=64,$(RSP_TB),$(RSP_TEST_C)))
$(eval $(call unit_test,receive/responder,test_rsp_stall_64,responder_tb,-GDATA_W=64,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/receive/responder/rsp_srq.c))
$(eval $(call unit_test,receive/responder,test_responder_shared,responder_tb,-GDATA_W=64 -GSHARED=1,$(RSP_TB),$(RSP_TEST_C)))
$(eval $(call unit_test,receive/responder,test_rsp_stall_shared,responder_tb,-GDATA_W=64 -GSHARED=1,$(RSP_TB),$(RSP_TEST_C) $(RSP_ONE_C) tests/unit/receive/responder/rsp_srq.c))
$(UNIT)/receive/responder/test_responder_64 $(UNIT)/receive/responder/test_responder_shared: tests/unit/receive/responder/test_responder.c
$(UNIT)/receive/responder/test_rsp_stall_64 $(UNIT)/receive/responder/test_rsp_stall_shared: tests/unit/receive/responder/test_rsp_stall.c
RES_BENCH_C := tests/unit/receive/responder/res_bench.c tests/unit/rx/int_records.c
$(eval $(call unit_test,receive/responder,test_rsp_res_cache,rsp_res_cache,-GLINES=4,,$(RES_BENCH_C)))
$(foreach w,64 128 256,$(eval $(call unit_test,receive/responder,test_rsp_res_cache_$(w),rsp_res_words,-GWORD_W=$(w) -GLINES=4,,$(RES_BENCH_C))))
$(UNIT)/receive/responder/test_rsp_res_cache $(foreach w,64 128 256,$(UNIT)/receive/responder/test_rsp_res_cache_$(w)): tests/unit/receive/responder/test_rsp_res_cache.c tests/unit/receive/responder/res_bench.h
# As in the builds: all of a QPN counts at 512 bit, its low bits where there are few QPs.
$(foreach w,64 128 256 512,$(eval $(call unit_test,receive/responder,test_rsp_res_$(w),rsp_res,-GDATA_W=$(w) -GLINES=4 -GTAG=9 $(if $(filter 64,$(w)),-GQPN_W=4),,$(RES_BENCH_C))))
$(foreach w,64 128 256 512,$(UNIT)/receive/responder/test_rsp_res_$(w)): tests/unit/receive/responder/test_rsp_res_cache.c tests/unit/receive/responder/res_bench.h
