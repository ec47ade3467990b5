# SPDX-License-Identifier: Apache-2.0
# One set of eight ways in each cache, so that they miss often.
$(eval $(call unit_test,mr,test_mr_service,mr_service,-GDATA_W=512 -GMPT_SETS=1 -GMTT_SETS=1,,tests/unit/queue_cq/host.c))
$(eval $(call unit_test,mr,test_mr_service_64,mr_service,-GDATA_W=64 -GMPT_SETS=1 -GMTT_SETS=1,,tests/unit/queue_cq/host.c))
$(UNIT)/mr/test_mr_service_64: tests/unit/mr/test_mr_service.c
