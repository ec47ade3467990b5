# SPDX-License-Identifier: Apache-2.0
# The bench: the sources of the transport tests, without sanitizers.  See README.md.
#
#   make bench                          both widths
#   tests/bench/run --width 64 [METRIC...]
#   make bench OCC=1                    what the stages do with their cycles
BENCH := $(BUILD)/bench/bench
BENCH_OBJS := $(patsubst %,$(BUILD)/bench/%.o,bench_main bench_load bench_lat bench_start bench_many bench_bound \
	bench_speed $(RDMA_PARTS))
BENCH_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror -MMD -MP -Isim -Itests/lib -Irtl/hw -Idriver
$(BUILD)/bench/%.o: tests/bench/%.c
	@mkdir -p $(@D)
	@$(CCACHE) $(CC) $(BENCH_CFLAGS) -c -o $@ $<
$(BUILD)/bench/%.o: tests/lib/%.c
	@mkdir -p $(@D)
	@$(CCACHE) $(CC) $(BENCH_CFLAGS) -c -o $@ $<
-include $(BENCH_OBJS:.o=.d)

$(BENCH): $(BENCH_OBJS) $(BUILD)/lib/libcairnsim.a $(BUILD)/lib/libcairn.a $(BUILD)/lib/libcairn_sim.a
	@echo "  LD    $@"
	@$(CC) -o $@ $(BENCH_OBJS) $(BUILD)/lib/libcairn_sim.a $(BUILD)/lib/libcairn.a $(BUILD)/lib/libcairnsim.a \
		$(SIM_LDLIBS) -lpthread -lcmocka
ALL += $(BENCH)
bench: $(BUILD)/lib/scale/cairn-model-512.so $(if $(OCC),$(BUILD)/lib/occ/cairn-model-512.so)
$(BENCH): | $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
$(eval $(call test_program,bench,tests/bench/test_bench,$(BENCH)))
