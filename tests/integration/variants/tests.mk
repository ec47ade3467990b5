# SPDX-License-Identifier: Apache-2.0
# Core programs with other models of the device, a test of a program each; ONLY= as ever.
#   few:   a context cache of 8 entries (sim.mk): more QPs than it holds, also with loss; what has flushed stays here
#   many:  lock-step of 64 QPs, on the device itself; also with few
#   wide:  the 512-bit data path, where beats and the edges of packets fall elsewhere
#   hosts: what a PCIe host may be like (`cairn sim --host`), both widths; the TLP monitor holds the device to it
FEW_MODEL := $(BUILD)/lib/few/cairn-model-64$(SIM_SUFFIX).so

# <variant>, <program>, <test>, <environment>, <model>
define core_variant
$(BUILD)/integration/$(1)/test_$(2): $(BUILD)/integration/test_$(2) $(5) tests/integration/variants/tests.mk
	@mkdir -p $$(@D)
	@printf '#!/bin/sh\nONLY="$$$${ONLY:-$(3)}" $(4) BUNDLE=%s exec %s "$$$$@"\n' $$@.bundle $$< > $$@
	@chmod +x $$@
$$(eval $$(call test_program,integration,$(BUILD)/integration/$(1)/test_$(2),$(BUILD)/integration/$(1)/test_$(2)))
endef
FEW := WIDTH=64 CAIRN_MODEL_DIR=$(BUILD)/lib/few
$(eval $(call core_variant,few,send,many_qps,$(FEW),$(FEW_MODEL)))
$(eval $(call core_variant,few,crowds,reset_under_fire,$(FEW),$(FEW_MODEL)))
$(eval $(call core_variant,few,ends,flushed*,$(FEW),$(FEW_MODEL)))
$(eval $(call core_variant,few,loss,soak_many_qps,$(FEW),$(FEW_MODEL)))
$(eval $(call core_variant,few,lockstep,crowd,$(FEW),$(FEW_MODEL)))
$(eval $(call core_variant,many,lockstep,crowd,WIDTH=64,$(BUILD)/lib/cairn-model-64.so))
$(foreach t,write send read errors,$(eval $(call core_variant,wide,$(t),*,WIDTH=512,$(BUILD)/lib/cairn-model-512.so)))
$(eval $(call core_variant,wide,start,cycles,WIDTH=512,$(BUILD)/lib/cairn-model-512.so))
$(eval $(call core_variant,wide,flood,*,WIDTH=512,$(BUILD)/lib/cairn-model-512.so))
$(eval $(call core_variant,wide,loss,soak_everything,WIDTH=512,$(BUILD)/lib/cairn-model-512.so))
$(eval $(call core_variant,wide,faults,lengths_with_loss,WIDTH=512,$(BUILD)/lib/cairn-model-512.so))

HOST_TAGS := no-ext-tag
HOST_ORDER := no-relaxed
HOST_SMALL := mps=128,mrrs=128,rcb=128,split=rcb
HOST_NEAR := rtt-ns=200
HOST_FAR := rtt-ns=1500
HOST_OLD := no-ext-tag,no-relaxed,mps=128,rcb=128,split=random,rtt-ns=1500
# <profile>, <width>: test_send's `host`
host_lower = $(subst TAGS,tags,$(subst ORDER,order,$(subst SMALL,small,$(subst NEAR,near,$(subst FAR,far,$(subst OLD,old,$(1)))))))
host_variant = $(call core_variant,host-$(call host_lower,$(1))-$(2),send,host,WIDTH=$(2) HOST_PCIE=$(HOST_$(1)),$(BUILD)/lib/cairn-model-$(2).so)
$(foreach w,64 512,$(foreach p,TAGS ORDER SMALL NEAR FAR OLD,$(eval $(call host_variant,$(p),$(w)))))
