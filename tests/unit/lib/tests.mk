# SPDX-License-Identifier: Apache-2.0
# Unit tests of rtl/lib.
$(eval $(call unit_test,lib,test_crc32_64,crc32,-GDATA_W=64))
$(eval $(call unit_test,lib,test_crc32_128,crc32,-GDATA_W=128 -GTAIL_UNIT=4 -GTAIL_BASE=2 -GTAIL_W=2))
$(eval $(call unit_test,lib,test_crc32_256,crc32,-GDATA_W=256))
$(eval $(call unit_test,lib,test_crc32_512,crc32,-GDATA_W=512))
$(eval $(call unit_test,lib,test_crc32_check64,crc32,-GDATA_W=64 -GCHECK=1))
$(eval $(call unit_test,lib,test_crc32_check512,crc32,-GDATA_W=512 -GCHECK=1))
$(eval $(call unit_test,lib,test_timer_wheel,timer_wheel))
$(eval $(call unit_test,lib,test_timer_wheel_small,timer_wheel,-GID_W=4 -GGRAN_LOG2=4 -GSLOT_LOG2=2 -GLEVELS=3))
