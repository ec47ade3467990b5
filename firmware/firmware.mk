# SPDX-License-Identifier: Apache-2.0
# Programs for the management core (rtl/cpu): RV32IM, bare metal, picolibc.
#
#   build/firmware/cairn_fw.elf   the firmware: crt0.S and firmware/*.c
#   build/firmware/cairn_fw.bin   what the driver loads: struct cairn_fw_header and the RAM contents
#
#   $(eval $(call fw_program,<name>,<C sources>,<cflags>))
#       build/firmware/<name>.elf and .ram (RAM contents from address 0) of any other program, for tests
#
# The toolchain is gcc-riscv64-unknown-elf with picolibc-riscv64-unknown-elf; another one by FW_CROSS=.

FW_CROSS ?= riscv64-unknown-elf-
FW_CC = $(FW_CROSS)gcc
FW_DIR := $(BUILD)/firmware
FW_VERSION := 1
FW_STACK_BYTES := 3072
# The one place that says how much RAM the core has is the contract.
FW_RAM_BYTES := $(shell awk '$$2 == "CAIRN_CPU_RAM_BYTES" { print $$3 }' rtl/hw/cairn_hw.h)

# What a build with 256 QPs and CQs has, and what of the books by number (bits.c) it uses: a row of the maps for each 32
# numbers, and a byte each.
FW_LEAST_BYTES := 65536
FW_BOOKS_BYTES := 784

# gcc picks its libraries by the exact name of the architecture; in version 2.2 of the specification CSRs are a part
# of it.
FW_ARCH := -march=rv32im -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs
FW_CFLAGS := $(FW_ARCH) -ffreestanding -fbuiltin -std=gnu11 \
	-Os -g -ffunction-sections -fdata-sections -fno-common -Wall -Wextra -Werror -MMD -MP -Ifirmware -Irtl/hw
FW_LDFLAGS := $(FW_ARCH) -O2 -flto -nostartfiles -T firmware/link.ld \
	-Wl,--gc-sections,--fatal-warnings,--defsym=RAM_BYTES=$(FW_RAM_BYTES),--defsym=STACK_BYTES=$(FW_STACK_BYTES),--defsym=LEAST_BYTES=$(FW_LEAST_BYTES),--defsym=BOOKS_BYTES=$(FW_BOOKS_BYTES)

FW_CRT0 := $(FW_DIR)/obj/firmware/crt0.o
FW_PROGRAMS :=

$(FW_CRT0): firmware/crt0.S firmware/firmware.mk
	@mkdir -p $(@D)
	@$(FW_CC) $(FW_CFLAGS) -c -o $@ $<

# For speed; what is not on the way of a common command for size, which is time to load.  Functions that the compiler
# itself calls cannot be optimised when all is linked.
FW_SMALL := cmd_dev cmd_eq cmd_gid cmd_mr cmd_srq link log mcast net4 net6 net_addr net_msg net_own port qp_event string
FW_FAST := $(filter-out $(FW_SMALL),$(basename $(notdir $(wildcard firmware/*.c))))
fw_opt = $(if $(filter $(FW_FAST),$(basename $(<F))),-O2) $(if $(filter string,$(basename $(<F))),,-flto)

# <name>, <C sources>, <cflags>
define fw_program
FW_PROGRAMS += $(1)
FW_OBJS_$(1) := $$(patsubst %.c,$(FW_DIR)/obj/$(1)/%.o,$(2))
$(FW_DIR)/obj/$(1)/%.o: %.c firmware/firmware.mk
	@mkdir -p $$(@D)
	@$$(FW_CC) $$(FW_CFLAGS) $$(fw_opt) $(3) -c -o $$@ $$<
-include $$(FW_OBJS_$(1):.o=.d)
$(FW_DIR)/$(1).elf: $(FW_CRT0) $$(FW_OBJS_$(1)) firmware/link.ld
	@echo "  FW    $(1)"
	@$$(FW_CC) $$(FW_LDFLAGS) -Wl,-Map=$(FW_DIR)/$(1).map -o $$@ $(FW_CRT0) $$(FW_OBJS_$(1))
$(FW_DIR)/$(1).ram: $(FW_DIR)/$(1).elf
	@$(FW_CROSS)objcopy -O binary $$< $$@
endef

$(FW_DIR)/mkimage: firmware/tools/mkimage.c rtl/hw/cairn_hw.h
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -O1 -Wall -Wextra -Werror -Irtl/hw -o $@ $<

.PHONY: firmware
$(eval $(call fw_program,cairn_fw,$(sort $(wildcard firmware/*.c))))
$(FW_DIR)/cairn_fw.bin: $(FW_DIR)/cairn_fw.ram $(FW_DIR)/mkimage
	@$(FW_DIR)/mkimage $< $@ $(FW_VERSION)
	@$(FW_CROSS)size $(FW_DIR)/cairn_fw.elf | awk 'NR == 2 { \
		printf "  SIZE  firmware: text %d, data %d, bss %d, stack %d of %d bytes\n", \
		$$1, $$2, $$3, $(FW_STACK_BYTES), $(shell printf %d $(FW_RAM_BYTES)) }'
firmware: $(FW_DIR)/cairn_fw.bin  ## the image of the management core
ALL += $(FW_DIR)/cairn_fw.bin
