# SPDX-License-Identifier: Apache-2.0
# The testbench itself.
$(eval $(call unit_test,harness,test_stream,stream_toy,-GDATA_W=64,tests/unit/harness/stream_toy.sv))
$(eval $(call unit_test,harness,test_rules,stream_toy,-GDATA_W=64,tests/unit/harness/stream_toy.sv))
$(eval $(call unit_test,harness,test_example,skid_buffer,-GWIDTH=64))
$(eval $(call script_test,harness,tests/unit/harness/test_readme))
$(eval $(call script_test,harness,tests/unit/harness/test_run))
$(eval $(call script_test,harness,tests/unit/harness/test_lint))
$(eval $(call script_test,harness,tests/unit/harness/test_scratch))
$(eval $(call script_test,harness,tests/unit/harness/test_floors))
$(eval $(call script_test,harness,tests/unit/harness/test_lint_docs))
$(eval $(call script_test,harness,tests/unit/harness/test_lint_form))
$(eval $(call script_test,harness,tests/unit/harness/test_check_plan))
$(eval $(call script_test,harness,tests/unit/harness/test_fit))
