# SPDX-License-Identifier: Apache-2.0
# The verbs provider: build/lib/libcairn-verbs.so, preloaded into programs by `cairn run`.
#
#   make provider
#
# No version script: unversioned definitions satisfy every versioned reference to libibverbs.  libcairn is inside,
# with its symbols hidden.

PROVIDER_CFLAGS = $(DRIVER_CFLAGS) -D_GNU_SOURCE -Isim -fvisibility=hidden
PROVIDER_SRC := $(wildcard libprovider/*.c libprovider/cm/*.c)
# sim_stat_read: counters of a simulated NIC that somebody else has open
PROVIDER_OBJS := $(PROVIDER_SRC:libprovider/%.c=$(BUILD)/provider/%.o) $(BUILD)/provider/sim_stat_read.o
PROVIDER_SO := $(BUILD)/lib/libcairn-verbs.so
PROVIDER_LDLIBS := -ljansson $(DRIVER_LDLIBS)

$(BUILD)/provider/%.o: libprovider/%.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CCACHE) $(CC) $(PROVIDER_CFLAGS) -c -o $@ $<
$(BUILD)/provider/sim_stat_read.o: sim/sim_stat_read.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CCACHE) $(CC) $(PROVIDER_CFLAGS) -c -o $@ $<
-include $(PROVIDER_OBJS:.o=.d)

$(PROVIDER_SO): $(PROVIDER_OBJS) $(DRIVER_LIB)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) -shared -o $@ $(PROVIDER_OBJS) $(DRIVER_LIB) -Wl,-soname,libcairn-verbs.so -Wl,--exclude-libs,ALL \
		-Wl,-z,defs,-z,nodelete $(PROVIDER_LDLIBS)

.PHONY: provider
provider: $(PROVIDER_SO)  ## the verbs provider
ALL += $(PROVIDER_SO)
lint: $(PROVIDER_SO)
