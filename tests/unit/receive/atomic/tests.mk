# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,receive/atomic,test_atomic_unit,atomic_unit_tb,-GDATA_W=512,tests/unit/receive/atomic/atomic_unit_tb.sv))
