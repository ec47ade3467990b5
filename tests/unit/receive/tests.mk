# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,receive,test_qp_lookup,qp_lookup,-GSLOTS=16 -GINFLIGHT=32 -GCELLS=160,,tests/unit/receive/lookup_world.c tests/unit/rx/int_records.c,-Itests/unit/rx))
$(eval $(call unit_test,receive,test_lookup_rules,qp_lookup,-GSLOTS=16 -GINFLIGHT=32 -GCELLS=160,,tests/unit/receive/lookup_world.c tests/unit/rx/int_records.c,-Itests/unit/rx))
$(eval $(call unit_test,receive,test_lookup_on_chip,qp_lookup,-GSLOTS=64 -GINFLIGHT=32 -GCELLS=160 -GPARK=0,,tests/unit/receive/lookup_world.c tests/unit/rx/int_records.c,-Itests/unit/rx -DON_CHIP))

$(UNIT)/receive/test_lookup_on_chip: tests/unit/receive/test_lookup_rules.c
$(UNIT)/receive/test_qp_lookup $(UNIT)/receive/test_lookup_rules $(UNIT)/receive/test_lookup_on_chip: tests/unit/receive/lookup_world.h tests/unit/rx/int_records.h
$(eval $(call unit_test,receive,test_rx_dispatch,rx_dispatch,,,tests/unit/rx/int_records.c))
