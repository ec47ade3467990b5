# SPDX-License-Identifier: Apache-2.0
RQE_TB := tests/unit/queue_rqe/rqe_fetch_tb.sv

$(eval $(call unit_test,queue_rqe,test_rqe_fetch,rqe_fetch_tb,-GDATA_W=512,$(RQE_TB)))
$(eval $(call unit_test,queue_rqe,test_rqe_fetch_64,rqe_fetch_tb,-GDATA_W=64,$(RQE_TB)))
