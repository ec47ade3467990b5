# SPDX-License-Identifier: Apache-2.0
# Verilated models as C libraries.  Included by the top Makefile before every area.
#
#   $(eval $(call verilated_model,<model>,<top>,<verilator args>,<extra files>,<C++ optimisation>))
#
# makes build/verilated/<model>/libdut.a, which exports cairn_dut_<model>() (sim/sim_dut.h).  Link it with
# $(VERILATED_LIB) and $(VERILATED_LDLIBS).  Modules and packages are found by name: see verilate.py.
# YOSYS=1: models of what Yosys makes of each top, in a folder of their own.

CXX_MODEL ?= clang++
CCACHE ?= $(shell command -v ccache)
TRACE ?=
BUILD ?= build
YOSYS ?=
MODEL_KIND := $(if $(YOSYS),-yosys)$(if $(TRACE),-trace)
VBUILD := $(BUILD)/verilated$(MODEL_KIND)
# Verilator 5.006 folds trees of XOR and AND wrongly now and then: without that pass.
VERILATOR_WARN ?= -Wall
VERILATOR_FLAGS = --cc -O3 -fno-const-bit-op-tree --x-assign unique --x-initial unique --assert $(VERILATOR_WARN) --output-split 0 \
	$(if $(TRACE),--trace-fst --trace-structs --trace-depth 8)
MODEL_CXXFLAGS = -std=gnu++17 -fbracket-depth=4096 -Wno-everything -fno-strict-aliasing -MMD -MP \
	-DVM_SC=0 -DVM_COVERAGE=0 -DVM_TRACE=$(if $(TRACE),1,0) -DVM_TRACE_FST=$(if $(TRACE),1,0) \
	-I$(VERILATOR_INC) -I$(VERILATOR_INC)/vltstd -Isim
VERILATOR_INC := $(shell verilator --getenv VERILATOR_ROOT 2>/dev/null)/include

# Verilator's runtime, once for all models.
VERILATED_LIB := $(VBUILD)/libverilated.a
VERILATED_LDLIBS = -lstdc++ -lpthread -lm -latomic $(if $(TRACE),-lz)
VERILATED_OBJS := $(patsubst %,$(VBUILD)/runtime/%.o,verilated verilated_threads $(if $(TRACE),verilated_fst_c))

$(VBUILD)/runtime/%.o: $(VERILATOR_INC)/%.cpp
	@mkdir -p $(@D)
	@echo "  CXX   $(<F)"
	@$(CCACHE) $(CXX_MODEL) -O2 $(MODEL_CXXFLAGS) -c -o $@ $<

$(VERILATED_LIB): $(VERILATED_OBJS)
	@rm -f $@ && ar rcs $@ $^

# <model>, <top>, <verilator args>, <extra files>, <C++ optimisation>
define verilated_model
ifdef model_$(1)
ifneq ($$(model_$(1)),$(strip $(2)|$(3)|$(4)))
$$(error model $(1) is defined twice with different files or arguments)
endif
else
model_$(1) := $(strip $(2)|$(3)|$(4))
$(VBUILD)/$(1)/model.stamp: tests/lib/verilate.mk tests/lib/verilate.py tests/lib/rtl.py tests/lib/vports.py rtl/lint.vlt $(4) $(if $(YOSYS),tests/lib/netlist.py)
	@echo "  VLT   $(1)"
	@tests/lib/verilate.py --dir $(VBUILD)/$(1) --model $(1) --top $(2) --flags "$$(VERILATOR_FLAGS)" \
		--args " $(3)" --extra "$(4)" $(if $(YOSYS),--yosys)
-include $(VBUILD)/$(1)/sources.d
$(VBUILD)/$(1)/model.o: $(VBUILD)/$(1)/model.stamp sim/sim_dut.cpp sim/sim_dut.h
	@echo "  CXX   $(1)"
	@$$(CCACHE) $$(CXX_MODEL) $(or $(5),-O1) $$(MODEL_CXXFLAGS) -I$(VBUILD)/$(1) -DSIM_DUT_NAME=$(1) \
		-DSIM_DUT_CLASS=V$(1) '-DSIM_DUT_HEADER="V$(1).h"' -c -o $$@ $(VBUILD)/$(1)/model.cpp
$(VBUILD)/$(1)/libdut.a: $(VBUILD)/$(1)/model.o
	@rm -f $$@ && ar rcs $$@ $$^
endif
endef
