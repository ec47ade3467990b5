# SPDX-License-Identifier: Apache-2.0
# The simulator: build/lib/libcairnsim.a, one shared object a NIC model, and the tool build/bin/cairn.
# The driver's bus to a simulator in the same process (bus_sim.c) needs libcairn, too, and is an archive of its own,
# build/lib/libcairn_sim.a: link -lcairn_sim -lcairn $(SIM_LIB) $(SIM_LDLIBS).
#
#   make sim                 the tool and the 64-bit model
#   make models [TRACE=1]    build/lib/cairn-model-{64,512}[-trace].so; TRACE=1: with waves (--waves)
#   make model-64            one of them
#   make models CONFIG=small build/lib/small/cairn-model-64.so, a build of rtl/builds.def (docs/builds.md)
#
# Models are loaded at run time (sim_model.c), so a change of the RTL rebuilds only those that are asked for and no
# program is linked again.  build/lib/standin/ has the stand-in core of tests/integration/standin under the same
# names (CAIRN_MODEL_DIR=build/lib/standin).

SIM_OPT ?= -O2
SIM_LIBDIR ?= $(if $(PREFIX),$(PREFIX)/lib,/usr/local/lib)
SIM_CFLAGS = -std=gnu11 $(SIM_OPT) -g -Wall -Wextra -Werror -D_GNU_SOURCE -MMD -MP -Isim -Idriver -Irtl/hw
SIM_BUS_C := sim/bus_sim.c
SIM_C := $(filter-out $(SIM_BUS_C),$(wildcard sim/*.c))
SIM_OBJS := $(SIM_C:sim/%.c=$(BUILD)/sim/%.o)
SIM_LIB := $(BUILD)/lib/libcairnsim.a
SIM_BUS_LIB := $(BUILD)/lib/libcairn_sim.a
# What a program that links libcairnsim.a also needs.
SIM_LDLIBS := -ljansson -lz -ldl -lm

$(BUILD)/sim/%.o: sim/%.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CCACHE) $(CC) $(SIM_CFLAGS) -c -o $@ $<
$(BUILD)/sim/sim_model.o: SIM_CFLAGS += '-DCAIRN_LIBDIR="$(SIM_LIBDIR)"'
-include $(SIM_OBJS:.o=.d) $(BUILD)/sim/bus_sim.d

lint: $(SIM_OBJS) $(BUILD)/sim/bus_sim.o
$(SIM_LIB): $(SIM_OBJS)
	@mkdir -p $(@D)
	@rm -f $@ && ar rcs $@ $^

$(SIM_BUS_LIB): $(BUILD)/sim/bus_sim.o
	@mkdir -p $(@D)
	@rm -f $@ && ar rcs $@ $^

# ---- the NIC's models

SIM_WIDTHS := 64 512
SIM_STANDIN := $(wildcard tests/integration/standin/*.sv)
# Parameters besides DATA_W, by width.
SIM_PARAMS_64 ?=
SIM_PARAMS_512 ?=
SIM_SUFFIX := $(if $(TRACE),-trace)

# The builds of rtl/builds.def, each a word: name|width|arguments of Verilator.  nic64 and nic512 are the default device.
CONFIGS := $(shell tests/lib/configs.py make)
ifeq ($(CONFIGS),)
$(error rtl/builds.def cannot be used: tests/lib/configs.py make says why)
endif
config_part = $(word $(2),$(subst |, ,$(1)))
config_args = $(wordlist 3,99,$(subst |, ,$(1)))
config_row = $(filter $(1)|%,$(CONFIGS))
CONFIG ?=
CONFIG_ROW := $(call config_row,$(CONFIG))
ifneq ($(CONFIG),)
ifeq ($(CONFIG_ROW),)
$(error CONFIG=$(CONFIG): rtl/builds.def has $(foreach c,$(CONFIGS),$(call config_part,$(c),1)))
endif
endif

# <model>, <output>: a shared object that exports cairn_dut_nic() alone
define sim_model_so
$(VBUILD)/$(1)/model.o $(VERILATED_OBJS): MODEL_CXXFLAGS += -fPIC
$(2): $(VBUILD)/$(1)/model.o $(VERILATED_LIB) sim/model.map
	@mkdir -p $$(@D)
	@echo "  LD    $$@"
	@$$(CXX_MODEL) -shared -o $$@ $(VBUILD)/$(1)/model.o $(VERILATED_LIB) -Wl,--defsym,cairn_dut_nic=cairn_dut_$(1) \
		-Wl,--version-script=sim/model.map -Wl,-Bsymbolic $(VERILATED_LDLIBS)
endef

# -O2 takes half again as long to build and is no faster: a model is bound by instruction fetches.
# <width>
define sim_width
$(call verilated_model,nic$(1),cairn_nic,$(call config_args,$(call config_row,nic$(1))) $(SIM_PARAMS_$(1)),rtl/cairn_nic.sv,-O1)
$(call sim_model_so,nic$(1),$(BUILD)/lib/cairn-model-$(1)$(SIM_SUFFIX).so)
$(call verilated_model,standin$(1),cairn_nic_standin,-GDATA_W=$(1) -Wno-UNUSEDSIGNAL,$(SIM_STANDIN),-O1)
$(call sim_model_so,standin$(1),$(BUILD)/lib/standin/cairn-model-$(1)$(SIM_SUFFIX).so)
.PHONY: model-$(1)
model-$(1): $(BUILD)/lib/cairn-model-$(1)$(SIM_SUFFIX).so
endef
$(foreach w,$(SIM_WIDTHS),$(eval $(call sim_width,$(w))))

# <row of CONFIGS>: its model, CAIRN_MODEL_DIR=build/lib/<name> finds it
config_model = $(BUILD)/lib/$(if $(filter nic64|% nic512|%,$(1)),,$(call config_part,$(1),1)/)cairn-model-$(call config_part,$(1),2)$(SIM_SUFFIX).so
define config_rules
$(call verilated_model,cfg$(call config_part,$(1),1),cairn_nic,$(call config_args,$(1)),rtl/cairn_nic.sv,-O1)
$(BUILD)/verilated/cfg$(call config_part,$(1),1)/model.stamp: rtl/builds.def
$(call sim_model_so,cfg$(call config_part,$(1),1),$(call config_model,$(1)))
endef
$(foreach c,$(filter-out nic64|% nic512|%,$(CONFIGS)),$(eval $(call config_rules,$(c))))

# CONFIG=<name>: the model of that build takes the place of the others.
SIM_MODELS := $(if $(CONFIG),$(call config_model,$(CONFIG_ROW)),$(patsubst %,$(BUILD)/lib/cairn-model-%$(SIM_SUFFIX).so,$(SIM_WIDTHS)))
# The device with a context cache of 8 QPs, for tests of what does not fit (CAIRN_MODEL_DIR=build/lib/few).
$(eval $(call verilated_model,few64,cairn_nic,-GDATA_W=64 -GQP_CACHE_LOG2=3,rtl/cairn_nic.sv,-O1))
$(eval $(call sim_model_so,few64,$(BUILD)/lib/few/cairn-model-64$(SIM_SUFFIX).so))
# With one of 32: the bench's crowd, two QPs for each place as 256 QPs are for the device.
$(eval $(call verilated_model,scale512,cairn_nic,-GDATA_W=512 -GQP_CACHE_LOG2=5,rtl/cairn_nic.sv,-O1))
$(eval $(call sim_model_so,scale512,$(BUILD)/lib/scale/cairn-model-512$(SIM_SUFFIX).so))
# With 64 K QPs.
$(eval $(call verilated_model,qps64k512,cairn_nic,-GDATA_W=512 -GQPS_LOG2=16,rtl/cairn_nic.sv,-O1))
$(eval $(call sim_model_so,qps64k512,$(BUILD)/lib/qps64k/cairn-model-512$(SIM_SUFFIX).so))
# With counters of what each hop between two stages does: make bench OCC=1.
$(eval $(call verilated_model,occ512,cairn_nic,-GDATA_W=512 -Wno-lint,rtl/cairn_nic.sv tests/bench/bench_hop.sv tests/bench/bench_occ.sv,-O1))
$(eval $(call sim_model_so,occ512,$(BUILD)/lib/occ/cairn-model-512.so))

STANDIN_MODELS := $(patsubst %,$(BUILD)/lib/standin/cairn-model-%$(SIM_SUFFIX).so,$(SIM_WIDTHS))

# ---- the tool

TOOL_OBJS := $(patsubst libprovider/tool/%.c,$(BUILD)/tool/%.o,$(wildcard libprovider/tool/*.c))
TOOL := $(BUILD)/bin/cairn
# libcairn, by name: driver.mk is read later.
TOOL_DRIVER := $(BUILD)/lib/libcairn.a
TOOL_LDLIBS := -lncurses -ltinfo -lpthread
TOOL_CFLAGS = $(SIM_CFLAGS) -Ilibprovider '-DCAIRN_LIBDIR="$(SIM_LIBDIR)"'

$(BUILD)/tool/%.o: libprovider/tool/%.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(CCACHE) $(CC) $(TOOL_CFLAGS) -c -o $@ $<
-include $(TOOL_OBJS:.o=.d)

lint: $(TOOL_OBJS)
$(TOOL): $(TOOL_OBJS) $(SIM_LIB) $(TOOL_DRIVER)
	@mkdir -p $(@D)
	@echo "  LD    $@"
	@$(CC) -o $@ $(TOOL_OBJS) $(SIM_LIB) $(TOOL_DRIVER) $(SIM_LDLIBS) $(TOOL_LDLIBS)

# What `cairn report` runs, where it will be from the tool's folder when it is installed, too.
TRACE_FROM := libprovider/tool/trace
TRACE_SCRIPTS := $(patsubst $(TRACE_FROM)/%,$(BUILD)/lib/cairn/trace/%,$(wildcard $(TRACE_FROM)/*.py))
TRACE_PAGE := $(patsubst $(TRACE_FROM)/%,$(BUILD)/lib/cairn/trace/%,$(wildcard $(TRACE_FROM)/page/*))
$(BUILD)/lib/cairn/trace/%: $(TRACE_FROM)/%
	@mkdir -p $(@D)
	@cp -p $< $@

.PHONY: sim models
sim: $(TOOL) $(TRACE_SCRIPTS) $(TRACE_PAGE) $(if $(CONFIG),$(SIM_MODELS),$(BUILD)/lib/cairn-model-64$(SIM_SUFFIX).so)  ## the tool cairn and the 64-bit NIC [CONFIG=]
models: $(SIM_MODELS)  ## the NICs, 64 and 512 bits wide [TRACE=1: with waves] [CONFIG=: a build of rtl/builds.def]
ALL += $(TOOL) $(TRACE_SCRIPTS) $(TRACE_PAGE) $(SIM_LIB) $(SIM_BUS_LIB) $(SIM_MODELS)
