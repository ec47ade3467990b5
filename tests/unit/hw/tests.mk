# SPDX-License-Identifier: Apache-2.0
# The contract: layouts, records and events agree between C and SV, bad tables are refused.
HW_GEN := $(BUILD)/gen/hw

$(HW_GEN)/hw_layout.sv: tests/unit/hw/layout_gen.py rtl/hw/hw.def rtl/hw/pkt.def
	@mkdir -p $(@D)
	@tests/unit/hw/layout_gen.py $(@D)
$(HW_GEN)/layout.inc: $(HW_GEN)/hw_layout.sv
$(UNIT)/hw/test_layout: $(HW_GEN)/layout.inc

$(eval $(call unit_test,hw,test_layout,hw_layout,,$(HW_GEN)/hw_layout.sv,,-I$(HW_GEN)))
$(HW_GEN)/hw_records.sv: tests/unit/hw/record_gen.py tests/unit/hw/layout_gen.py rtl/hw/int.def rtl/hw/pkt.def rtl/hw/hw.def
	@mkdir -p $(@D)
	@tests/unit/hw/record_gen.py $(@D)
$(HW_GEN)/records.inc: $(HW_GEN)/hw_records.sv
$(UNIT)/hw/test_records: $(HW_GEN)/records.inc

$(eval $(call unit_test,hw,test_records,hw_records,,$(HW_GEN)/hw_records.sv,,-I$(HW_GEN)))
$(HW_GEN)/events.inc: tests/unit/hw/event_gen.py rtl/hw/hw.def
	@mkdir -p $(@D)
	@tests/unit/hw/event_gen.py $(@D)
$(UNIT)/hw/test_strobes: $(HW_GEN)/events.inc

$(eval $(call unit_test,hw,test_strobes,hw_events,,tests/unit/hw/hw_events.sv,,-I$(HW_GEN)))
$(eval $(call script_test,hw,tests/unit/hw/test_hwgen,$(HWGEN_OBJS)))
$(eval $(call unit_test,hw,test_ops,hw_ops,,tests/unit/hw/hw_ops.sv))
$(eval $(call script_test,hw,tests/unit/hw/test_driven))
$(eval $(call script_test,hw,tests/unit/hw/test_new_counter))
$(eval $(call script_test,hw,tests/unit/hw/test_new_operation))
