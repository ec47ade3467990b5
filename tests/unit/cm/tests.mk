# SPDX-License-Identifier: Apache-2.0
# The connection manager: its machine of states, without any device.
CM_MACHINE := $(patsubst %,libprovider/cm/%.c,cm cm_run cm_in cm_req cm_dreq cm_sidr cm_msg) tests/unit/cm/cm_world.c
$(eval $(call c_test,cm,test_cm_states,$(CM_MACHINE),-Ilibprovider/cm -Itests/unit/cm))
$(eval $(call c_test,cm,test_cm,$(CM_MACHINE),-Ilibprovider/cm -Itests/unit/cm))
$(eval $(call c_test,cm,test_cm_wires,$(CM_MACHINE),-Ilibprovider/cm -Itests/unit/cm))

# What programs see, with Debian's librdmacm; $(PROVIDER_TEST_OBJS): tests/unit/provider/tests.mk, read later.
CM_PROVIDER_CFLAGS := -Isim -Idriver -Itests/unit/driver -D_GNU_SOURCE -Ilibprovider -Itests/unit/provider
CM_PROVIDER_OBJS = $(PROVIDER_SRC:libprovider/%.c=$(UNIT)/provider/lib/%.o) $(UNIT)/provider/lib/sim_stat_read.o
# <test>, <library>
cm_provider_test = $(call unit_program,cm,$(1),tests/unit/cm/$(1).c,$(CM_PROVIDER_CFLAGS),$(CM_PROVIDER_OBJS) $(UNIT)/driver/lib/libdriver.a,$(2) -libverbs -ljansson -lpthread -ldl -rdynamic)
$(eval $(call cm_provider_test,test_ucma,-lrdmacm))
$(eval $(call cm_provider_test,test_ucma_raw))
