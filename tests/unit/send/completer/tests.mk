# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,send/completer,test_completer,completer_tb,,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_world.c))
$(eval $(call unit_test,send/completer,test_cmp_shared,completer_tb,-GSHARED=1,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_world.c))
$(eval $(call unit_test,send/completer,test_cmp_rules,completer_tb,,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_desk.c))
$(eval $(call unit_test,send/completer,test_cmp_tell,completer_tb,,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_desk.c))
$(eval $(call unit_test,send/completer,test_cmp_answers,completer_tb,,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_desk.c))
$(eval $(call unit_test,send/completer,test_cmp_answers_64,completer_tb,-GDATA_W=64,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_desk.c))
$(eval $(call unit_test,send/completer,test_completer_64,completer_tb,-GDATA_W=64,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_world.c))
$(eval $(call unit_test,send/completer,test_cmp_retries,completer_tb,,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_desk.c))
$(eval $(call unit_test,send/completer,test_cmp_states,completer_tb,,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_desk.c))
$(eval $(call unit_test,send/completer,test_cmp_wraps,completer_tb,,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_desk.c))
$(eval $(call unit_test,send/completer,test_cmp_ring,completer_tb,,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_desk.c))
$(eval $(call unit_test,send/completer,test_cmp_rates,completer_tb,-GDESCS=256,tests/unit/send/completer/completer_tb.sv))
$(eval $(call unit_test,send/completer,test_cmp_kick,cmp_kick,-GQPS_LOG2=4 -GSLOTS=16 -GONE_FIRE=0))
$(eval $(call unit_test,send/completer,test_cmp_kick_one,cmp_kick,-GQPS_LOG2=4 -GSLOTS=16))
$(UNIT)/send/completer/test_cmp_kick_one: tests/unit/send/completer/test_cmp_kick.c
$(eval $(call unit_test,send/completer,test_cmp_woken,cmp_woken,-GSLOTS=16))
$(eval $(call unit_test,send/completer,test_cmp_packet,cmp_packet))
$(eval $(call unit_test,send/completer,test_cmp_chain,cmp_chain,-GSLOTS=8))
$(eval $(call unit_test,send/completer,test_cmp_chain_lanes,cmp_chain,-GSLOTS=8 -GLANES=2,,,-DLANES=2u))
$(UNIT)/send/completer/test_cmp_chain_lanes: tests/unit/send/completer/test_cmp_chain.c
$(eval $(call unit_test,send/completer,test_cmp_block,cmp_block))
$(eval $(call unit_test,send/completer,test_cmp_block_parts,cmp_block,-GPARTS=4))
$(eval $(call unit_test,send/completer,test_cmp_held,cmp_held,-GQPS_LOG2=4))

# QPs that share lists of parked packets
$(foreach w,64 512,\
$(eval $(call unit_test,send/completer,test_completer_lanes_$(w),completer_tb,-GDATA_W=$(w) -GLANES=4,tests/unit/send/completer/completer_tb.sv,tests/unit/send/completer/cmp_world.c))\
$(eval $(UNIT)/send/completer/test_completer_lanes_$(w): tests/unit/send/completer/test_completer.c))
# The walk and the packets of test_completer, where they read the same RAM.
$(UNIT)/send/completer/test_cmp_shared: tests/unit/send/completer/test_completer.c
# The same with WQEs in parts
$(UNIT)/send/completer/test_completer_64: tests/unit/send/completer/test_completer.c
$(UNIT)/send/completer/test_cmp_answers_64: tests/unit/send/completer/test_cmp_answers.c
$(eval $(call unit_test,send/completer,test_retry_timer,retry_timer,-GQPS_LOG2=4 -GSCAN_LOG2=0))
$(eval $(call unit_test,send/completer,test_retry_scan,retry_timer,-GQPS_LOG2=4))
$(UNIT)/send/completer/test_retry_scan: tests/unit/send/completer/test_retry_timer.c
$(eval $(call unit_test,send/completer,test_cmp_expect,cmp_expect,-GREAD_CHUNK=8))
