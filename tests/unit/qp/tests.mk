# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,qp,test_qp_scheduler,qp_scheduler,-GQPS_LOG2=3 -GNSRC=4))
$(eval $(call unit_test,qp,test_qp_lookup,qp_lookup,-GSLOTS=16 -GINFLIGHT=32 -GCELLS=160,,tests/unit/qp/lookup_world.c tests/unit/rx/int_records.c,-Itests/unit/rx))
$(eval $(call unit_test,qp,test_lookup_rules,qp_lookup,-GSLOTS=16 -GINFLIGHT=32 -GCELLS=160,,tests/unit/qp/lookup_world.c tests/unit/rx/int_records.c,-Itests/unit/rx))

$(UNIT)/qp/test_qp_lookup $(UNIT)/qp/test_lookup_rules: tests/unit/qp/lookup_world.h tests/unit/rx/int_records.h
