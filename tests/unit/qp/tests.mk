# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,qp,test_qp_scheduler,qp_scheduler,-GQPS_LOG2=3 -GNSRC=4))
