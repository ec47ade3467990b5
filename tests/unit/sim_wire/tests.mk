# SPDX-License-Identifier: Apache-2.0
# The simulated wire: frames, faults, rules, captures; the MAC between frames and beats.
SIM_WIRE_SRCS := $(patsubst %,sim/%.c,sim_wire sim_frame sim_deliver sim_fault sim_switch sim_peer sim_rule sim_match sim_pkt sim_pcap)
$(eval $(call c_test,sim_wire,test_wire,$(SIM_WIRE_SRCS),,-lm))
$(eval $(call c_test,sim_wire,test_hosts,$(SIM_WIRE_SRCS),,-lm))
$(eval $(call c_test,sim_wire,test_pcap,$(SIM_WIRE_SRCS),,-lm))
$(eval $(call c_test,sim_wire,test_rule,$(SIM_WIRE_SRCS),,-lm))
$(eval $(call c_test,sim_wire,test_mac,sim/sim_mac.c $(SIM_WIRE_SRCS),,-lm))
