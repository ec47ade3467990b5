# SPDX-License-Identifier: Apache-2.0
# One set of eight ways in each cache, so that they miss often; and the caches of the build of 512 bits.
MR_BENCH_C := tests/unit/state/cq/host.c tests/unit/state/mr/mr_bench.c
$(eval $(call unit_test,state/mr,test_mr_service,mr_service,-GDATA_W=512 -GMPT_SETS=1 -GMTT_SETS=1,,$(MR_BENCH_C)))
$(eval $(call unit_test,state/mr,test_mr_service_large,mr_service,-GDATA_W=512 -GMPT_SETS=256 -GMTT_SETS=128,,$(MR_BENCH_C)))
$(eval $(call unit_test,state/mr,test_mr_service_64,mr_service,-GDATA_W=64 -GMPT_SETS=1 -GMTT_SETS=1,,$(MR_BENCH_C)))
$(UNIT)/state/mr/test_mr_service $(UNIT)/state/mr/test_mr_service_64 $(UNIT)/state/mr/test_mr_service_large: tests/unit/state/mr/test_mr_service.c tests/unit/state/mr/mr_bench.h
$(eval $(call unit_test,state/mr,test_mr_update,mr_service,-GDATA_W=64 -GMPT_SETS=1 -GMTT_SETS=1,,$(MR_BENCH_C) tests/unit/state/mr/mr_ref.c tests/unit/state/mr/update_world.c))
$(UNIT)/state/mr/test_mr_update: tests/unit/state/mr/update_world.h tests/unit/state/mr/mr_bench.h tests/unit/state/mr/mr_ref.h
$(eval $(call unit_test,state/mr,test_mr_access,mr_service,-GDATA_W=64 -GMPT_SETS=1 -GMTT_SETS=1,,$(MR_BENCH_C)))
$(eval $(call unit_test,state/mr,test_mr_access_on_chip,mr_service,-GDATA_W=64 -GMRS_LOG2=5 -GMTT_SETS=1 -GCHANGES=0,,$(MR_BENCH_C)))
$(UNIT)/state/mr/test_mr_access $(UNIT)/state/mr/test_mr_access_on_chip: tests/unit/state/mr/test_mr_access.c tests/unit/state/mr/mr_bench.h
$(eval $(call unit_test,state/mr,test_mpt_resident,mpt_resident,-GMRS_LOG2=5))
$(eval $(call unit_test,state/mr,test_mtt_lines,mtt_lines,-GSETS=2,,tests/unit/state/cq/host.c))
