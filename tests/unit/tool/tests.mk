# SPDX-License-Identifier: Apache-2.0
# The tool's parts, with the simulator's and the driver's libraries, all with sanitizers.  Its main() has another name.

# $(DRIVER_TEST_LIB): tests/unit/driver/tests.mk; $(UNIT)/simlib: tests/integration/tests.mk, which is read after this.
TOOL_TEST_DIR := $(UNIT)/tool/lib
TOOL_TEST_CFLAGS := -D_GNU_SOURCE -Ilibprovider -Ilibprovider/tool
TOOL_TEST_OBJS := $(patsubst libprovider/tool/%.c,$(TOOL_TEST_DIR)/%.o,$(wildcard libprovider/tool/*.c))

$(TOOL_TEST_DIR)/%.o: libprovider/tool/%.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) $(TOOL_TEST_CFLAGS) -Dmain=tool_main -c -o $@ $<
-include $(TOOL_TEST_OBJS:.o=.d)

# <test>
tool_test = $(call unit_program,tool,$(1),tests/unit/tool/$(1).c,$(TOOL_TEST_CFLAGS),$(TOOL_TEST_OBJS) $(UNIT)/simlib/libcairnsim.a $(DRIVER_TEST_LIB),$(SIM_LDLIBS) $(TOOL_LDLIBS))

$(eval $(call tool_test,test_lat_read))
$(eval $(call tool_test,test_top))
$(eval $(call tool_test,test_top_view))
