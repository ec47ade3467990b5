# SPDX-License-Identifier: Apache-2.0
# libcairn against a software device (fake_bus.c), its socket bus against servers of the tests' own,
# and its VFIO bus on a fake kernel.

test_comma := ,
DRIVER_TEST_DIR := $(UNIT)/driver/lib
DRIVER_TEST_CFLAGS := -Idriver -Idriver/bus -Itests/unit/driver
DRIVER_TEST_OBJS := $(DRIVER_SRC:driver/%.c=$(DRIVER_TEST_DIR)/%.o) \
	$(patsubst %,$(DRIVER_TEST_DIR)/%.o,fake_bus fake_cmd fake_mr fake_setup fake_server \
		fake_kernel fake_vfio fake_iommu fake_sysfs)
DRIVER_TEST_LIB := $(DRIVER_TEST_DIR)/libdriver.a

$(DRIVER_TEST_DIR)/%.o: driver/%.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) $(DRIVER_TEST_CFLAGS) -c -o $@ $<
$(DRIVER_TEST_DIR)/%.o: tests/unit/driver/%.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) $(DRIVER_TEST_CFLAGS) -c -o $@ $<
$(DRIVER_TEST_LIB): $(DRIVER_TEST_OBJS)
	@rm -f $@ && ar rcs $@ $^
-include $(DRIVER_TEST_OBJS:.o=.d)

# <test>, <ldflags>
driver_test = $(call unit_program,driver,$(1),tests/unit/driver/$(1).c,$(DRIVER_TEST_CFLAGS),$(DRIVER_TEST_LIB),$(2) -lpthread -ldl)

$(eval $(call driver_test,test_space))
$(eval $(call driver_test,test_open))
$(eval $(call driver_test,test_cmd))
$(eval $(call driver_test,test_mr))
$(eval $(call driver_test,test_rereg))
$(eval $(call driver_test,test_objects))
$(eval $(call driver_test,test_queue))
$(eval $(call driver_test,test_limits))
$(eval $(call driver_test,test_messages))
$(eval $(call driver_test,test_known))
$(eval $(call driver_test,test_faults,$(patsubst %,-Wl$(test_comma)--wrap=%,malloc calloc strdup tsearch eventfd memfd_create ftruncate)))
$(eval $(call driver_test,test_lease))
$(eval $(call driver_test,test_lease_files))
$(eval $(call driver_test,test_look))
$(eval $(call driver_test,test_vfu))
$(eval $(call driver_test,test_vfu_trust))
$(eval $(call driver_test,test_vfio,$(patsubst %,-Wl$(test_comma)--wrap=%,getrlimit sched_yield nanosleep)))
$(eval $(call driver_test,test_vfio_loss))
$(eval $(call driver_test,test_vfio_open,$(patsubst %,-Wl$(test_comma)--wrap=%,calloc eventfd pthread_create)))
$(eval $(call driver_test,test_bind))
$(eval $(call c_test,driver,test_sealed))

# The in-process bus, with the stand-in core as the NIC.
$(DRIVER_TEST_DIR)/bus_sim.o: sim/bus_sim.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) $(DRIVER_TEST_CFLAGS) -c -o $@ $<
-include $(DRIVER_TEST_DIR)/bus_sim.d
# $(UNIT)/simlib: tests/integration/tests.mk, which is read after this file.
$(eval $(call unit_program,driver,test_bus_sim,tests/unit/driver/test_bus_sim.c,\
	$(DRIVER_TEST_CFLAGS) -Itests/integration/standin,\
	$(DRIVER_TEST_DIR)/bus_sim.o $(DRIVER_TEST_LIB) $(UNIT)/simlib/libcairnsim.a $(VBUILD)/standin64/libdut.a $(VERILATED_LIB),\
	$(VERILATED_LDLIBS) $(SIM_LDLIBS)))

$(eval $(call script_test,driver,tests/unit/driver/test_exports,$(DRIVER_SO)))
