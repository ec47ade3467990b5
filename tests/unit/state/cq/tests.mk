# SPDX-License-Identifier: Apache-2.0
# One set of eight ways, so that more CQs than slots are in use.
$(eval $(call unit_test,state/cq,test_cq_service,cq_service,-GDATA_W=512 -GSETS=1 -GPARKED=16 -GCQS_LOG2=6 -GSCAN_LOG2=0,,tests/unit/state/cq/host.c))
$(eval $(call unit_test,state/cq,test_cq_service_64,cq_service,-GDATA_W=64 -GSETS=1 -GPARKED=16 -GCQS_LOG2=6,,tests/unit/state/cq/host.c))
$(eval $(call unit_test,state/cq,test_cqe_fills,cqe_write,))
$(eval $(call unit_test,state/cq,test_cq_crowd,cq_crowd,-GCQS_LOG2=4))
$(eval $(call unit_test,state/cq,test_eqe_write,eqe_write,))
$(UNIT)/state/cq/test_cq_service_64: tests/unit/state/cq/test_cq_service.c
$(eval $(call unit_test,state/cq,test_cq_rules,cq_service,-GDATA_W=64 -GSETS=1 -GPARKED=16 -GCQS_LOG2=6,,tests/unit/state/cq/host.c))
$(eval $(call unit_test,state/cq,test_cq_large,cq_service,-GDATA_W=64 -GSETS=1 -GPARKED=16 -GCQS_LOG2=6,,tests/unit/state/cq/host.c))
$(eval $(call unit_test,state/cq,test_eqe_wrap,eqe_write,,,tests/unit/state/cq/host.c))
$(eval $(call unit_test,state/cq,test_cq_resident,cq_service,-GDATA_W=64 -GON_CHIP=1 -GCQS_LOG2=6,,tests/unit/state/cq/host.c))
$(UNIT)/state/cq/test_cq_resident: tests/unit/state/cq/test_cq_service.c
$(eval $(call unit_test,state/cq,test_cq_resident_rules,cq_service,-GDATA_W=64 -GON_CHIP=1 -GCQS_LOG2=6,,tests/unit/state/cq/host.c))
$(UNIT)/state/cq/test_cq_resident_rules: tests/unit/state/cq/test_cq_rules.c
$(eval $(call unit_test,state/cq,test_cq_sums,cq_sums,))
$(eval $(call unit_test,state/cq,test_cq_items,cq_items,))
$(eval $(call unit_test,state/cq,test_cqe_form,cqe_form,))
# Slots for 8 of its CQs; as the builds have it, with CQNs that meet in one set.
$(eval $(call unit_test,state/cq,test_cq_cached,cq_cached,-GDATA_W=64 -GSETS=1 -GPARKED=16 -GCQS_LOG2=6,,tests/unit/state/cq/host.c))
$(eval $(call unit_test,state/cq,test_cq_cached_512,cq_cached,-GDATA_W=512 -GSETS=8 -GPARKED=64 -GCQS_LOG2=12,,tests/unit/state/cq/host.c,-DSTRIDE=8u))
$(UNIT)/state/cq/test_cq_cached_512: tests/unit/state/cq/test_cq_cached.c
