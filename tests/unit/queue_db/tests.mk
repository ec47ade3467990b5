# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,queue_db,test_doorbell,doorbell,-GQPS_LOG2=4 -GSRQS_LOG2=2 -GCQS_LOG2=4))
