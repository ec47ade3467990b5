# SPDX-License-Identifier: Apache-2.0
# The contract between hardware and software: hwgen turns rtl/hw/*.def into headers, packages and documentation, which
# are committed (rtl/hw/update lists them).

HWGEN := $(BUILD)/hwgen
HWGEN_OBJS := $(patsubst %,$(BUILD)/hwgen.d/%.o,hwgen hwgen_refuse hwgen_table hwgen_check \
	hwgen_names hwgen_c hwgen_sv hwgen_rec hwgen_md hwgen_cmd hwgen_event hwgen_op)
HWGEN_CFLAGS := -std=gnu11 -O1 -g -Wall -Wextra -Werror

$(BUILD)/hwgen.d/%.o: rtl/hw/%.c rtl/hw/hwgen.h
	@mkdir -p $(@D)
	@$(CC) $(HWGEN_CFLAGS) -c -o $@ $<

$(HWGEN): $(HWGEN_OBJS) rtl/hw/hwgen_rows.c rtl/hw/hw.def rtl/hw/pkt.def rtl/hw/int.def
	@echo "  CC    hwgen"
	@$(CC) $(HWGEN_CFLAGS) -o $@ $(HWGEN_OBJS) rtl/hw/hwgen_rows.c

.PHONY: hw check-hw
hw: $(HWGEN)  ## write the headers, packages and pages of the contract
	@rtl/hw/update $(HWGEN)

check-hw: $(HWGEN)  ## are the files that make hw writes up to date?
	@tests/run tests/lib/check_hw
