# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,receive/atomic,test_atomic_unit,atomic_unit,-GDATA_W=512 -GSLOTS=16))
