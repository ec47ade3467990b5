# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,transport_cmp,test_completer,completer_tb,,tests/unit/transport_cmp/completer_tb.sv,tests/unit/transport_cmp/cmp_world.c))
$(eval $(call unit_test,transport_cmp,test_cmp_rules,completer_tb,,tests/unit/transport_cmp/completer_tb.sv,tests/unit/transport_cmp/cmp_desk.c))
$(eval $(call unit_test,transport_cmp,test_cmp_answers,completer_tb,,tests/unit/transport_cmp/completer_tb.sv,tests/unit/transport_cmp/cmp_desk.c))
$(eval $(call unit_test,transport_cmp,test_cmp_retries,completer_tb,,tests/unit/transport_cmp/completer_tb.sv,tests/unit/transport_cmp/cmp_desk.c))
$(eval $(call unit_test,transport_cmp,test_cmp_states,completer_tb,,tests/unit/transport_cmp/completer_tb.sv,tests/unit/transport_cmp/cmp_desk.c))
$(eval $(call unit_test,transport_cmp,test_cmp_wraps,completer_tb,,tests/unit/transport_cmp/completer_tb.sv,tests/unit/transport_cmp/cmp_desk.c))
$(eval $(call unit_test,transport_cmp,test_cmp_ring,completer_tb,,tests/unit/transport_cmp/completer_tb.sv,tests/unit/transport_cmp/cmp_desk.c))
$(eval $(call unit_test,transport_cmp,test_cmp_kick,cmp_kick,-GQPS_LOG2=4 -GSLOTS=16))
