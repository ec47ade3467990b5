# SPDX-License-Identifier: Apache-2.0
WQE_C := tests/unit/queue_wqe/wqe_bench.c tests/unit/rx/int_records.c
WQE_H := tests/unit/queue_wqe/wqe_bench.h tests/unit/rx/int_records.h

# With four sets read-ahead ends AHEAD groups on, with two for want of room.
$(foreach t,fetch random push,\
$(eval $(call unit_test,queue_wqe,test_wqe_$(t),wqe_fetch,-GDATA_W=512 -GSETS=4 -GAHEAD=6,,$(WQE_C),-Itests/unit/rx -DSETS=4 -DAHEAD=6))\
$(eval $(call unit_test,queue_wqe,test_wqe_$(t)_64,wqe_fetch,-GDATA_W=64 -GSETS=2 -GAHEAD=4,,$(WQE_C),-Itests/unit/rx -DSETS=2 -DAHEAD=4))\
$(eval $(UNIT)/queue_wqe/test_wqe_$(t) $(UNIT)/queue_wqe/test_wqe_$(t)_64: $(WQE_H))\
$(eval $(UNIT)/queue_wqe/test_wqe_$(t)_64: tests/unit/queue_wqe/test_wqe_$(t).c))
