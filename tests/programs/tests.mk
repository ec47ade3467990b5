# SPDX-License-Identifier: Apache-2.0
# Unmodified verbs programs over cairn sim; `make programs` runs all of matrix.py.  own/: what no program of Debian's
# does (windows, multicast, every byte compared, what must be refused, a NIC with itself), linked with libibverbs alone.
OWN_PROGRAMS := $(addprefix $(BUILD)/programs/own/,keys group transfer refusals self)
PROCESS_PROGRAM := $(BUILD)/programs/own/process
$(OWN_PROGRAMS): $(BUILD)/programs/own/%: tests/programs/own/%.c tests/programs/own/meet.c tests/programs/own/meet.h
	@mkdir -p $(@D)
	@echo "  TEST  programs/own/$*"
	@$(TEST_CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -Ilibprovider -o $@ $(filter %.c,$^) -libverbs -ldl

$(PROCESS_PROGRAM): tests/programs/own/process.c tests/programs/own/walk.h tests/programs/own/entries.h
	@mkdir -p $(@D)
	@echo "  TEST  programs/own/process"
	@$(TEST_CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -o $@ $< -libverbs -lpthread -ldl

LIMITS_PROGRAM := $(BUILD)/programs/own/limits
$(LIMITS_PROGRAM): tests/programs/own/limits.c tests/programs/own/walk.h
	@mkdir -p $(@D)
	@echo "  TEST  programs/own/limits"
	@$(TEST_CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -o $@ $< -libverbs -lpthread

CONNECT_PROGRAM := $(BUILD)/programs/own/connect
$(CONNECT_PROGRAM): tests/programs/own/connect.c tests/programs/own/entries.h
	@mkdir -p $(@D)
	@echo "  TEST  programs/own/connect"
	@$(TEST_CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -o $@ $< -lrdmacm -libverbs

LISTS_PROGRAM := $(BUILD)/programs/own/lists
$(LISTS_PROGRAM): tests/programs/own/lists.c
	@mkdir -p $(@D)
	@echo "  TEST  programs/own/lists"
	@$(TEST_CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -o $@ $< -libverbs

programs: $(OWN_PROGRAMS) $(CONNECT_PROGRAM)

PROGRAMS_NEED := $(TOOL) $(BUILD)/lib/cairn-model-64.so \
	$(BUILD)/lib/libcairn-verbs.so $(BUILD)/firmware/cairn_fw.bin $(OWN_PROGRAMS)
$(eval $(call test_program,programs,tests/programs/test_programs.py,$(PROGRAMS_NEED)))
$(eval $(call test_program,programs,tests/programs/test_presence.py,$(PROGRAMS_NEED)))
$(eval $(call test_program,programs,tests/programs/test_install.py,all))
$(eval $(call test_program,programs,tests/programs/test_killed.py,$(PROGRAMS_NEED)))
$(eval $(call test_program,programs,tests/programs/test_many.py,$(PROGRAMS_NEED)))
$(eval $(call test_program,programs,tests/programs/test_latency.py,$(PROGRAMS_NEED)))
$(eval $(call test_program,programs,tests/programs/test_process.py,$(PROGRAMS_NEED) $(PROCESS_PROGRAM) $(LIMITS_PROGRAM)))
$(eval $(call test_program,programs,tests/programs/test_connected.py,$(PROGRAMS_NEED) $(CONNECT_PROGRAM)))
