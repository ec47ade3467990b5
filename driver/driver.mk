# SPDX-License-Identifier: Apache-2.0
# libcairn, the userspace driver: build/lib/libcairn.a and libcairn.so.
#
#   make driver              both
#
# The in-process bus, which needs the simulator, is sim/bus_sim.c (sim/sim.mk).

DRIVER_OPT ?= -O2
DRIVER_LIBDIR ?= $(if $(PREFIX),$(PREFIX)/lib,/usr/local/lib)
DRIVER_CFLAGS = -std=gnu11 $(DRIVER_OPT) -g -fPIC -Wall -Wextra -Werror -MMD -MP -Idriver -Irtl/hw
DRIVER_SRC := $(wildcard driver/*.c driver/bus/*.c)
DRIVER_OBJS := $(DRIVER_SRC:driver/%.c=$(BUILD)/driver/%.o)
DRIVER_LIB := $(BUILD)/lib/libcairn.a
DRIVER_SO := $(BUILD)/lib/libcairn.so
# What a program that links libcairn.a also needs.
DRIVER_LDLIBS := -lpthread -ldl

$(BUILD)/driver/%.o: driver/%.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CCACHE) $(CC) $(DRIVER_CFLAGS) -c -o $@ $<
$(BUILD)/driver/fw.o: DRIVER_CFLAGS += '-DCAIRN_LIBDIR="$(DRIVER_LIBDIR)"'
-include $(DRIVER_OBJS:.o=.d)

$(DRIVER_LIB): $(DRIVER_OBJS)
	@mkdir -p $(@D)
	@rm -f $@ && ar rcs $@ $^

$(DRIVER_SO): $(DRIVER_OBJS) driver/libcairn.map
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) -shared -o $@ $(DRIVER_OBJS) -Wl,-soname,libcairn.so -Wl,--version-script=driver/libcairn.map \
		-Wl,-z,defs,-z,nodelete $(DRIVER_LDLIBS)

.PHONY: driver
driver: $(DRIVER_LIB) $(DRIVER_SO)  ## libcairn
ALL += $(DRIVER_LIB) $(DRIVER_SO)
# tests/lib/lint_floors.py
lint: $(DRIVER_OBJS)
