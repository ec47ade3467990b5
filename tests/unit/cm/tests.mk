# SPDX-License-Identifier: Apache-2.0
# The connection manager: its machine of states, without any device.
CM_MACHINE := $(patsubst %,libprovider/cm/%.c,cm cm_in cm_req cm_dreq cm_sidr cm_msg) tests/unit/cm/cm_world.c
$(eval $(call c_test,cm,test_cm_states,$(CM_MACHINE),-Ilibprovider/cm -Itests/unit/cm))
$(eval $(call c_test,cm,test_cm,$(CM_MACHINE),-Ilibprovider/cm -Itests/unit/cm))
