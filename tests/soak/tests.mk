# SPDX-License-Identifier: Apache-2.0
# make soak; a short one is in make test.
SOAK := $(BUILD)/integration/soak
$(SOAK): tests/soak/soak.c $(RDMA_LIB) $(SIM_TEST_LIB) $(BUILD)/lib/libcairn.a $(BUILD)/lib/libcairn_sim.a \
		| $(BUILD)/lib/cairn-model-64.so $(BUILD)/firmware/cairn_fw.bin
	@mkdir -p $(@D)
	@echo "  TEST  soak"
	@$(TEST_CC) $(TEST_CFLAGS) -MF $@.d -o $@ $< $(RDMA_LIB) $(BUILD)/lib/libcairn_sim.a \
		$(BUILD)/lib/libcairn.a $(SIM_TEST_LIB) $(SIM_LDLIBS) -lpthread -lcmocka
-include $(SOAK).d

# The 64-bit model once more, laid out by what a short soak ran through: a run of hours is a fifth shorter.
# build/lib/profiled/cairn-model-64.so; the same RTL, and the same cycles.
SOAK_DIR := $(BUILD)/soak
SOAK_MODEL := $(BUILD)/lib/profiled/cairn-model-64.so
SOAK_CXX = $(CXX_MODEL) $(MODEL_CXXFLAGS) -fPIC -I$(VBUILD)/nic64 -DSIM_DUT_NAME=nic64 -DSIM_DUT_CLASS=Vnic64 \
	'-DSIM_DUT_HEADER="Vnic64.h"'
SOAK_LINK = $(VERILATED_LIB) -shared -Wl,--defsym,cairn_dut_nic=cairn_dut_nic64 \
	-Wl,--version-script=sim/model.map -Wl,-Bsymbolic $(VERILATED_LDLIBS)

$(SOAK_DIR)/training/cairn-model-64.so: $(VBUILD)/nic64/model.o $(VERILATED_LIB) sim/model.map
	@mkdir -p $(@D)
	@echo "  CXX   nic64, to be profiled"
	@$(CCACHE) $(SOAK_CXX) -O1 -fprofile-generate -c -o $(@D)/model.o $(VBUILD)/nic64/model.cpp
	@$(CXX_MODEL) -fprofile-generate -o $@ $(@D)/model.o $(SOAK_LINK)

$(SOAK_DIR)/model.profdata: $(SOAK_DIR)/training/cairn-model-64.so $(SOAK)
	@echo "  RUN   soak, to profile nic64"
	@rm -f $(@D)/training/*.profraw
	@# the runtime that counts leaks a string of its own
	@CAIRN_MODEL_DIR=$(<D) LLVM_PROFILE_FILE=$(<D)/%p.profraw ASAN_OPTIONS=detect_leaks=0 PCAP= BUNDLE= \
		QPS=8 PACKETS=2000 SEED=1 $(SOAK) > $(@D)/training.log || { cat $(@D)/training.log; exit 1; }
	@llvm-profdata merge -o $@ $(@D)/training/*.profraw

$(SOAK_MODEL): $(SOAK_DIR)/model.profdata
	@mkdir -p $(@D)
	@echo "  CXX   nic64, profiled"
	@$(CCACHE) $(SOAK_CXX) -O2 -fprofile-use=$< -c -o $(SOAK_DIR)/model.o $(VBUILD)/nic64/model.cpp
	@$(CXX_MODEL) -o $@ $(SOAK_DIR)/model.o $(SOAK_LINK)

soak: $(SOAK) $(SOAK_MODEL) $(patsubst %,$(BUILD)/integration/test_%,wraps windows invalidate hostile)
soak: export CAIRN_MODEL_DIR := $(dir $(SOAK_MODEL))
$(eval $(call test_program,soak,tests/soak/short,$(SOAK)))
