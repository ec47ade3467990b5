# SPDX-License-Identifier: Apache-2.0
WQE_C := tests/unit/send/wqe_bench.c tests/unit/rx/int_records.c
WQE_H := tests/unit/send/wqe_bench.h tests/unit/rx/int_records.h

# With four sets read-ahead ends AHEAD groups on, with two for want of room.
$(foreach t,fetch random push ports,\
$(eval $(call unit_test,send,test_wqe_$(t),wqe_fetch,-GDATA_W=512 -GSETS=4 -GAHEAD=6,,$(WQE_C),-Itests/unit/rx -DSETS=4 -DAHEAD=6))\
$(eval $(call unit_test,send,test_wqe_$(t)_64,wqe_fetch,-GDATA_W=64 -GSETS=2 -GAHEAD=4,,$(WQE_C),-Itests/unit/rx -DSETS=2 -DAHEAD=4 -DONE))\
$(eval $(UNIT)/send/test_wqe_$(t) $(UNIT)/send/test_wqe_$(t)_64: $(WQE_H))\
$(eval $(UNIT)/send/test_wqe_$(t)_64: tests/unit/send/test_wqe_$(t).c))
$(eval $(call unit_test,send,test_wqe_ahead,wqe_ahead,-GAHEAD=6,,,-DAHEAD=6))
$(eval $(call unit_test,send,test_wqe_taken,wqe_taken,-GSETS=4,,,-DSETS=4))
$(eval $(call unit_test,send,test_wqe_taken_one,wqe_taken,-GSETS=4 -GLOOKS=1,,,-DSETS=4 -DONE))
$(UNIT)/send/test_wqe_taken_one: tests/unit/send/test_wqe_taken.c
$(eval $(call unit_test,send,test_wqe_words,wqe_words,-GGW=2))
$(eval $(call unit_test,send,test_wqe_words_64,wqe_words,-GGW=2 -GDATA_W=64))
$(UNIT)/send/test_wqe_words_64: tests/unit/send/test_wqe_words.c
$(eval $(call unit_test,send,test_wqe_victim,wqe_victim,-GSETS=4,,tests/unit/send/victim_bench.c,-DSETS=4))
$(eval $(UNIT)/send/test_wqe_victim: tests/unit/send/victim_bench.h)
$(eval $(call unit_test,send,test_qp_scheduler,qp_scheduler,-GQPS_LOG2=3 -GNSRC=4))
$(eval $(call unit_test,send,test_qp_scheduler_one,qp_scheduler,-GQPS_LOG2=3 -GNSRC=4 -GLOOKS=1,,,-DONE))
$(UNIT)/send/test_qp_scheduler_one: tests/unit/send/test_qp_scheduler.c
$(eval $(call unit_test,send,test_sq_early,sq_early,-GQPS_LOG2=4))
$(eval $(call unit_test,send,test_wqe_asks,wqe_asks))
$(eval $(call unit_test,send,test_wqe_asks_now,wqe_asks,-GHELD=0,,,-DNOW))
$(UNIT)/send/test_wqe_asks_now: tests/unit/send/test_wqe_asks.c
