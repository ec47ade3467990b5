# SPDX-License-Identifier: Apache-2.0
# libcairn, the userspace driver: build/lib/libcairn.a and libcairn.so.
#
#   make driver              both
#
# The in-process bus (bus_sim.c) needs the simulator and is an archive of its own, build/lib/libcairn_sim.a:
# link -lcairn_sim -lcairn $(SIM_LIB) $(SIM_LDLIBS).

DRIVER_OPT ?= -O2
DRIVER_LIBDIR ?= $(if $(PREFIX),$(PREFIX)/lib,/usr/local/lib)
DRIVER_CFLAGS = -std=gnu11 $(DRIVER_OPT) -g -fPIC -Wall -Wextra -Werror -MMD -Idriver -Irtl/hw
DRIVER_SIM_SRC := driver/bus_sim.c
DRIVER_SRC := $(filter-out $(DRIVER_SIM_SRC),$(wildcard driver/*.c))
DRIVER_OBJS := $(DRIVER_SRC:driver/%.c=$(BUILD)/driver/%.o)
DRIVER_LIB := $(BUILD)/lib/libcairn.a
DRIVER_SO := $(BUILD)/lib/libcairn.so
DRIVER_SIM_LIB := $(BUILD)/lib/libcairn_sim.a
# What a program that links libcairn.a also needs.
DRIVER_LDLIBS := -lpthread -ldl

$(BUILD)/driver/%.o: driver/%.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CCACHE) $(CC) $(DRIVER_CFLAGS) -c -o $@ $<
$(BUILD)/driver/fw.o: DRIVER_CFLAGS += '-DCAIRN_LIBDIR="$(DRIVER_LIBDIR)"'
$(BUILD)/driver/bus_sim.o: DRIVER_CFLAGS += -Isim
-include $(DRIVER_OBJS:.o=.d) $(BUILD)/driver/bus_sim.d

$(DRIVER_LIB): $(DRIVER_OBJS)
	@mkdir -p $(@D)
	@rm -f $@ && ar rcs $@ $^

$(DRIVER_SO): $(DRIVER_OBJS) driver/libcairn.map
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) -shared -o $@ $(DRIVER_OBJS) -Wl,-soname,libcairn.so -Wl,--version-script=driver/libcairn.map \
		-Wl,-z,defs,-z,nodelete $(DRIVER_LDLIBS)

$(DRIVER_SIM_LIB): $(BUILD)/driver/bus_sim.o
	@mkdir -p $(@D)
	@rm -f $@ && ar rcs $@ $^

.PHONY: driver
driver: $(DRIVER_LIB) $(DRIVER_SO) $(DRIVER_SIM_LIB)  ## libcairn
ALL += $(DRIVER_LIB) $(DRIVER_SO) $(DRIVER_SIM_LIB)
