# SPDX-License-Identifier: Apache-2.0
# The contract between hardware and software: hwgen turns rtl/hw/*.def into headers, packages and documentation, which
# are committed.  `make hw` writes them, `make check-hw` says whether they are up to date.

HWGEN := $(BUILD)/hwgen
HWGEN_OBJS := $(patsubst %,$(BUILD)/hwgen.d/%.o,hwgen hwgen_check hwgen_c hwgen_sv hwgen_md)
HWGEN_CFLAGS := -std=gnu11 -O1 -g -Wall -Wextra -Werror
# <table>:<format>:<output>
HW_OUTPUTS := hw:c:rtl/hw/cairn_hw.h hw:sv:rtl/hw/cairn_hw_pkg.sv hw:md:docs/registers.md \
	pkt:c:rtl/hw/cairn_pkt.h pkt:sv:rtl/hw/cairn_pkt_pkg.sv pkt:md:docs/packets.md

$(BUILD)/hwgen.d/%.o: rtl/hw/%.c rtl/hw/hwgen.h
	@mkdir -p $(@D)
	@$(CC) $(HWGEN_CFLAGS) -c -o $@ $<

$(HWGEN): $(HWGEN_OBJS) rtl/hw/hwgen_rows.c rtl/hw/hw.def rtl/hw/pkt.def
	@echo "  CC    hwgen"
	@$(CC) $(HWGEN_CFLAGS) -o $@ $(HWGEN_OBJS) rtl/hw/hwgen_rows.c

.PHONY: hw check-hw
hw: $(HWGEN)
	@$(HWGEN) check
	@set -e; for o in $(HW_OUTPUTS); do \
		table=$${o%%:*}; rest=$${o#*:}; file=$${rest#*:}; \
		$(HWGEN) $$table $${rest%%:*} > $(BUILD)/hwgen.out; \
		cmp -s $(BUILD)/hwgen.out $$file || { cp $(BUILD)/hwgen.out $$file; echo "  HW    $$file"; }; \
	done

check-hw: $(HWGEN)
	@$(HWGEN) check
	@status=0; for o in $(HW_OUTPUTS); do \
		table=$${o%%:*}; rest=$${o#*:}; file=$${rest#*:}; \
		$(HWGEN) $$table $${rest%%:*} > $(BUILD)/hwgen.out; \
		diff -u $$file $(BUILD)/hwgen.out || { echo "$$file is out of date: run make hw"; status=1; }; \
	done; exit $$status
