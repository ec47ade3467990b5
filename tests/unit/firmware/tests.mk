# SPDX-License-Identifier: Apache-2.0
# Firmware compiled for the test program, on registers made of C (fw_hw.h); with the core and the RTL it is run by
# tests/integration.

FW_TEST_DIR := $(UNIT)/firmware/lib
FW_TEST_CFLAGS := -Ifirmware -Itests/unit/firmware -DFW_HOSTED -include tests/unit/firmware/cpu_host.h
FW_TEST_OBJS := $(patsubst firmware/%.c,$(FW_TEST_DIR)/%.o,$(filter-out firmware/string.c,$(wildcard firmware/*.c))) \
	$(FW_TEST_DIR)/fw_hw.o $(FW_TEST_DIR)/fw_host.o
FW_TEST_LIB := $(FW_TEST_DIR)/libfw.a

$(FW_TEST_DIR)/%.o: firmware/%.c tests/unit/firmware/cpu_host.h
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) $(FW_TEST_CFLAGS) -c -o $@ $<
$(FW_TEST_DIR)/%.o: tests/unit/firmware/%.c tests/unit/firmware/cpu_host.h
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) $(FW_TEST_CFLAGS) -c -o $@ $<
$(FW_TEST_LIB): $(FW_TEST_OBJS)
	@rm -f $@ && ar rcs $@ $^
-include $(FW_TEST_OBJS:.o=.d)

# <test>
fw_test = $(call unit_program,firmware,$(1),tests/unit/firmware/$(1).c,$(FW_TEST_CFLAGS),$(FW_TEST_LIB))

$(eval $(call fw_test,test_fw_create))
$(eval $(call fw_test,test_fw_qp))
$(eval $(call fw_test,test_fw_stops))
$(eval $(call fw_test,test_fw_states))
$(eval $(call fw_test,test_fw_net))
$(eval $(call fw_test,test_fw_neighbour))
$(eval $(call fw_test,test_fw_conflict))
$(eval $(call fw_test,test_fw_gid))
$(eval $(call fw_test,test_fw_mcast))
$(eval $(call fw_test,test_fw_mr))
$(eval $(call fw_test,test_fw_cq))
$(eval $(call fw_test,test_fw_tables))
$(eval $(call fw_test,test_fw_fuzz))
$(eval $(call fw_test,test_fw_bits))
$(eval $(call fw_test,test_fw_queue))
$(eval $(call script_test,firmware,tests/unit/firmware/test_new_command))
