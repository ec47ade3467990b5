# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,core,test_doorbell,doorbell,-GQPS_LOG2=4 -GSRQS_LOG2=2 -GCQS_LOG2=4))
$(eval $(call unit_test,core,test_fence,fence))
$(eval $(call unit_test,core,test_fence_5,fence,-GNBUSY=5 -GQUIET=13))
$(UNIT)/core/test_fence_5: tests/unit/core/test_fence.c
