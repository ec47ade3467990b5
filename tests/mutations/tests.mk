# SPDX-License-Identifier: Apache-2.0
# Known bugs planted into the RTL: `make mutations` runs them all.
$(eval $(call test_program,mutations,tests/mutations/check,))
