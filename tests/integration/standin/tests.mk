# SPDX-License-Identifier: Apache-2.0
# The simulator end to end with the stand-in core, in this process.
STANDIN_DUTS := $(VBUILD)/standin64/libdut.a $(VBUILD)/standin512/libdut.a
$(BUILD)/integration/test_standin: tests/integration/standin/test_standin.c tests/integration/standin/rig.h \
		$(SIM_TEST_LIB) $(STANDIN_DUTS) $(VERILATED_LIB) | $(STANDIN_MODELS)
	@mkdir -p $(@D)
	@echo "  TEST  integration/test_standin"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(SIM_TEST_LIB) $(STANDIN_DUTS) $(VERILATED_LIB) $(VERILATED_LDLIBS) \
		$(SIM_LDLIBS) -lcmocka
-include $(BUILD)/integration/test_standin.d
$(eval $(call test_program,integration,$(BUILD)/integration/test_standin,$(BUILD)/integration/test_standin))

# cairn sim with the stand-in core, over its sockets, with the driver's own client.
$(BUILD)/integration/test_socket: tests/integration/standin/test_socket.c tests/integration/standin/standin.h \
		$(SIM_TEST_LIB) $(BUILD)/lib/libcairn.a | $(TOOL) $(STANDIN_MODELS)
	@mkdir -p $(@D)
	@echo "  TEST  integration/test_socket"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(BUILD)/lib/libcairn.a $(SIM_TEST_LIB) $(SIM_LDLIBS) \
		-lpthread -lcmocka
-include $(BUILD)/integration/test_socket.d
$(eval $(call test_program,integration,$(BUILD)/integration/test_socket,$(BUILD)/integration/test_socket))

$(eval $(call test_program,integration,tests/integration/standin/test_tool,$(TOOL) $(STANDIN_MODELS)))
# lists: tests/programs/tests.mk, which is read after this file.
$(eval $(call test_program,integration,tests/integration/standin/test_many.py,\
	$(TOOL) $(STANDIN_MODELS) $(BUILD)/lib/libcairn-verbs.so $(BUILD)/programs/own/lists))
# cairn stat and cairn top on pages made by the test (pages.py), without a simulator.
$(eval $(call test_program,integration,tests/integration/standin/test_stat.py,$(TOOL)))
$(eval $(call test_program,integration,tests/integration/standin/test_top.py,$(TOOL)))
