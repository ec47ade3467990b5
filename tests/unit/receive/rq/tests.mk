# SPDX-License-Identifier: Apache-2.0
RQE_TB := tests/unit/receive/rq/rqe_fetch_tb.sv

$(eval $(call unit_test,receive/rq,test_rqe_fetch,rqe_fetch_tb,-GDATA_W=512,$(RQE_TB)))
$(eval $(call unit_test,receive/rq,test_rqe_fetch_64,rqe_fetch_tb,-GDATA_W=64,$(RQE_TB)))
