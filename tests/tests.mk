# SPDX-License-Identifier: Apache-2.0
# Unit tests.  An area's tests/unit/<area>/tests.mk registers each test with one line:
#
#   $(eval $(call unit_test,<area>,<test>,<top module>,<verilator args>,<extra .sv files>,<extra .c files>, \
#       <extra cflags>))
#       tests/unit/<area>/<test>.c with a Verilated model of <top module>
#   $(eval $(call c_test,<area>,<test>,<extra .c files>,<extra cflags>,<extra ldflags>))
#       tests/unit/<area>/<test>.c alone
#   $(eval $(call script_test,<area>,<executable that prints TAP>,<what must be built first>))
#
# Tests with the same top and arguments share one model.  See tests/unit/README.md.
#
# Tests of another kind (tests/<kind>/tests.mk), run by `make test`:
#
#   $(eval $(call test_program,<kind>,<program that prints TAP>,<what must be built first>))
#
#   make test-unit [AREA="lib rx"] [TEST=test_skid_buffer] [SEED=...] [TRACE=1] [YOSYS=1]

TEST_CC ?= gcc
TEST_SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined
TEST_CFLAGS = -std=gnu11 -O1 -g -Wall -Wextra -Werror -fno-omit-frame-pointer $(TEST_SAN) -MMD -MP \
	-Isim -Idriver -Itests/lib -Irtl/hw
UNIT := $(BUILD)/unit$(MODEL_KIND)
UNIT_BINS :=
UNIT_AREAS :=

$(UNIT)/lib/%.o: tests/lib/%.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) -c -o $@ $<
VTB_OBJS := $(UNIT)/lib/vtb.o $(UNIT)/lib/vtb_stream.o $(UNIT)/lib/vtb_ctx.o
-include $(VTB_OBJS:.o=.d)
# Verbs in a test program (tests/lib/rdma.h).
RDMA_PARTS := rdma rdma_qp rdma_wr rdma_cqe rdma_wqe rdma_time rdma_trace rdma_counters

# A model's name: top and arguments, as a C identifier (-GDATA_W=64 becomes _DATA_W64).
test_empty :=
model_id = $(subst $(test_empty) ,,$(strip $(1)$(patsubst %,_%,$(subst +,_,$(subst -,_,$(subst -G,,$(subst =,,$(2))))))))

# Adds <area>/<test> with its program to the lists: <area>, <test>, <program>
define unit_add
ifneq ($$(filter $(3),$$(UNIT_BINS)),)
$$(error unit test $(1)/$(2) is registered twice)
endif
UNIT_BINS += $(3)
UNIT_AREAS := $$(sort $$(UNIT_AREAS) $(1))
UNIT_BINS_$(1) += $(3)
UNIT_BINS_$(2) += $(3)
endef

# The C part: <area>, <test>, <C sources>, <cflags>, <objects and libraries>, <ldflags>
define unit_program
$$(eval $$(call unit_add,$(1),$(2),$(UNIT)/$(1)/$(2)))
$(UNIT)/$(1)/$(2): $(3) $(5)
	@mkdir -p $$(@D)
	@echo "  TEST  $(1)/$(2)"
	@$$(TEST_CC) $$(TEST_CFLAGS) $(4) -MF $$@.d -o $$@ $(3) $(5) $(6) -lcmocka
-include $(UNIT)/$(1)/$(2).d
endef

unit_test = $(call verilated_model,$(call model_id,$(3),$(4)),$(strip $(3)),$(4),$(5))$(test_newline)$(call unit_program,$(1),$(2),tests/unit/$(1)/$(2).c $(6),-DVTB_MODEL=cairn_dut_$(call model_id,$(3),$(4)) $(7),$(VTB_OBJS) $(VBUILD)/$(call model_id,$(3),$(4))/libdut.a $(VERILATED_LIB),$(VERILATED_LDLIBS))

c_test = $(call unit_program,$(1),$(2),tests/unit/$(1)/$(2).c $(3),$(4),,$(5))

script_test = $(call unit_add,$(1),$(notdir $(2)),$(2))$(test_newline)$(if $(3),$(2): | $(3))

define test_newline


endef

# <kind>, <program>, <prerequisites>
# With CONFIG=, a build of rtl/builds.def: what depends on the build (tests/integration/configs).
TEST_PROGRAMS = $(if $(CONFIG),$(CONFIG_TESTS),$(UNIT_BINS) $(OTHER_TESTS))
OTHER_TESTS := tests/lib/check_hw tests/lib/check_plan.py tests/lib/lint_style.py tests/lib/lint_form.py \
	tests/lib/lint_docs.py tests/lib/lint_floors.py tests/lib/lint_rtl.py
define test_program
OTHER_TESTS += $(2)
tests-build tests-build-$(1): $(3)
ifndef TESTS_$(1)
.PHONY: test-$(1) tests-build-$(1)
test-$(1): tests-build-$(1)
	@tests/run $$(TESTS_$(1))
endif
TESTS_$(1) += $(2)
endef

include $(sort $(wildcard tests/unit/*/tests.mk tests/unit/*/*/tests.mk tests/*/tests.mk))

# What this call runs: TEST (by name), else AREA, else everything.
UNIT_SELECTED = $(strip $(if $(TEST),$(foreach t,$(TEST),$(or $(UNIT_BINS_$(t)),$(error no unit test $(t)))), \
	$(if $(AREA),$(foreach a,$(AREA),$(or $(UNIT_BINS_$(a)),$(error no unit tests in area $(a)))),$(UNIT_BINS))))

.PHONY: test-unit test-unit-build tests-build
tests-build: $(UNIT_BINS) $(HWGEN)
test-unit-build: $(if $(filter test-unit test-unit-build,$(MAKECMDGOALS)),$(UNIT_SELECTED),$(UNIT_BINS))
test-unit: test-unit-build  ## unit tests [AREA="lib rx"] [TEST=name] [SEED=] [TRACE=1] [YOSYS=1: of what Yosys reads]
	@tests/run $(UNIT_SELECTED)
