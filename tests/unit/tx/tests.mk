# SPDX-License-Identifier: Apache-2.0
# Unit tests of rtl/tx.  test_<x>_512.c is the text; the other widths include it.
TX_TEST_C := tests/unit/tx/tx_env.c tests/unit/tx/tx_env_open.c tests/unit/rx/roce_frame.c tests/unit/rx/int_records.c
TX_TEST_H := tests/unit/tx/tx_env.h tests/unit/tx/frame_job.h tests/unit/rx/roce_frame.h tests/unit/rx/int_records.h

$(foreach w,64 128 256 512,$(eval $(call unit_test,tx,test_tx_path_$(w),tx_path,-GDATA_W=$(w),,$(TX_TEST_C),-Itests/unit/rx)))
$(foreach w,64 128 256 512,$(eval $(UNIT)/tx/test_tx_path_$(w): tests/unit/tx/test_tx_path_512.c $(TX_TEST_H)))

$(foreach w,64 512,$(eval $(call unit_test,tx,test_tx_failed_$(w),tx_path,-GDATA_W=$(w),,$(TX_TEST_C),-Itests/unit/rx)))
$(foreach w,64 512,$(eval $(UNIT)/tx/test_tx_failed_$(w): tests/unit/tx/test_tx_failed_512.c $(TX_TEST_H)))

$(foreach w,64 512,$(eval $(call unit_test,tx,test_tx_stale_$(w),tx_path,-GDATA_W=$(w),,$(TX_TEST_C),-Itests/unit/rx)))
$(foreach w,64 512,$(eval $(UNIT)/tx/test_tx_stale_$(w): tests/unit/tx/test_tx_stale_512.c $(TX_TEST_H)))

$(foreach w,64 512,$(eval $(call unit_test,tx,test_tx_rx_loop_$(w),tx_rx_loop_tb,-GDATA_W=$(w),tests/unit/tx/tx_rx_loop_tb.sv,$(TX_TEST_C),-Itests/unit/rx)))
$(foreach w,64 512,$(eval $(UNIT)/tx/test_tx_rx_loop_$(w): tests/unit/tx/test_tx_rx_loop_512.c $(TX_TEST_H)))

$(eval $(call unit_test,tx,test_mac_cut,mac_cut,-GDATA_W=64))

$(eval $(call unit_test,tx,test_tx_way,tx_way))

$(eval $(call unit_test,tx,test_tx_check,tx_check,-GQPS_LOG2=4,,tests/unit/rx/int_records.c,-Itests/unit/rx))

$(eval $(call unit_test,tx,test_tx_form,tx_form,,,tests/unit/rx/roce_frame.c,-Itests/unit/rx))
$(eval $(UNIT)/tx/test_tx_form: tests/unit/tx/frame_job.h)

$(eval $(call unit_test,tx,test_tx_places,tx_places,,,tests/unit/rx/roce_frame.c,-Itests/unit/rx))

$(eval $(call unit_test,tx,test_tx_plain,tx_plain))

$(eval $(call unit_test,tx,test_tx_piece,tx_piece))
