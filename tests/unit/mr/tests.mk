# SPDX-License-Identifier: Apache-2.0
# One set of eight ways in each cache, so that they miss often.
MR_BENCH_C := tests/unit/queue_cq/host.c tests/unit/mr/mr_bench.c
$(eval $(call unit_test,mr,test_mr_service,mr_service,-GDATA_W=512 -GMPT_SETS=1 -GMTT_SETS=1,,$(MR_BENCH_C)))
$(eval $(call unit_test,mr,test_mr_service_64,mr_service,-GDATA_W=64 -GMPT_SETS=1 -GMTT_SETS=1,,$(MR_BENCH_C)))
$(UNIT)/mr/test_mr_service $(UNIT)/mr/test_mr_service_64: tests/unit/mr/test_mr_service.c tests/unit/mr/mr_bench.h
$(eval $(call unit_test,mr,test_mr_update,mr_service,-GDATA_W=64 -GMPT_SETS=1 -GMTT_SETS=1,,$(MR_BENCH_C) tests/unit/mr/mr_ref.c tests/unit/mr/update_world.c))
$(UNIT)/mr/test_mr_update: tests/unit/mr/update_world.h tests/unit/mr/mr_bench.h tests/unit/mr/mr_ref.h
$(eval $(call unit_test,mr,test_mr_access,mr_service,-GDATA_W=64 -GMPT_SETS=1 -GMTT_SETS=1,,$(MR_BENCH_C)))
$(UNIT)/mr/test_mr_access: tests/unit/mr/mr_bench.h
