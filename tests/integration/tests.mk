# SPDX-License-Identifier: Apache-2.0
# Integration tests, a folder each; a folder's tests.mk registers its programs with
#   $(eval $(call test_program,integration,<program>,<prerequisites>))

# The simulator with sanitizers, for test programs that link it.
SIM_TEST_LIB := $(UNIT)/simlib/libcairnsim.a
SIM_TEST_OBJS := $(SIM_C:sim/%.c=$(UNIT)/simlib/%.o)
$(UNIT)/simlib/%.o: sim/%.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) -D_GNU_SOURCE -c -o $@ $<
$(SIM_TEST_LIB): $(SIM_TEST_OBJS)
	@rm -f $@ && ar rcs $@ $^
-include $(SIM_TEST_OBJS:.o=.d)

# Verbs in the test program.
RDMA_LIB := $(RDMA_PARTS:%=$(UNIT)/lib/%.o)
-include $(RDMA_LIB:.o=.d)

include $(sort $(wildcard tests/integration/*/tests.mk))
