# SPDX-License-Identifier: Apache-2.0
# What `make vm` runs in its guest besides Debian's programs.
VM_PROGRAM := $(BUILD)/vm/unmapped
$(VM_PROGRAM): tests/vm/unmapped.c $(DRIVER_LIB)
	@mkdir -p $(@D)
	@echo "  TEST  vm/unmapped"
	@$(TEST_CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -Idriver -Irtl/hw -o $@ $< $(DRIVER_LIB) $(DRIVER_LDLIBS)
