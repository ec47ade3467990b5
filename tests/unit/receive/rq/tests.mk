# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,receive/rq,test_rqe_fetch,rqe_fetch,-GDATA_W=512 -GRUNS=4 -GONES=4 -GWAYS=4))
$(eval $(call unit_test,receive/rq,test_rqe_fetch_64,rqe_fetch,-GDATA_W=64 -GRUNS=4 -GONES=4 -GWAYS=4))
$(eval $(call unit_test,receive/rq,test_srq_answer,srq_answer))
$(eval $(call unit_test,receive/rq,test_srq_port,srq_port))
