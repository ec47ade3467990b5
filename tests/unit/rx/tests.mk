# SPDX-License-Identifier: Apache-2.0
# Unit tests of rtl/rx.  test_<x>_512.c is the text; the other widths include it.
RX_TEST_C := tests/unit/rx/roce_frame.c tests/unit/rx/pcap_load.c tests/unit/rx/int_records.c
RX_TEST_H := tests/unit/rx/parser_test.h tests/unit/rx/roce_frame.h tests/unit/rx/int_records.h

$(foreach w,64 128 256 512,$(eval $(call unit_test,rx,test_rx_parser_$(w),rx_parser_tb,-GDATA_W=$(w),tests/unit/rx/rx_parser_tb.sv,$(RX_TEST_C))))
$(foreach w,64 128 256 512,$(eval $(UNIT)/rx/test_rx_parser_$(w): tests/unit/rx/test_rx_parser_512.c $(RX_TEST_H)))

$(foreach w,64 512,$(eval $(call unit_test,rx,test_rx_fields_$(w),rx_parser_tb,-GDATA_W=$(w),tests/unit/rx/rx_parser_tb.sv,$(RX_TEST_C))))
$(foreach w,64 512,$(eval $(UNIT)/rx/test_rx_fields_$(w): tests/unit/rx/test_rx_fields_512.c $(RX_TEST_H)))

$(foreach w,64 512,$(eval $(call unit_test,rx,test_rx_qps_$(w),rx_parser_tb,-GDATA_W=$(w),tests/unit/rx/rx_parser_tb.sv,$(RX_TEST_C))))
$(foreach w,64 512,$(eval $(UNIT)/rx/test_rx_qps_$(w): tests/unit/rx/test_rx_qps_512.c $(RX_TEST_H)))

$(foreach w,64 256 512,$(eval $(call unit_test,rx,test_rx_buffer_$(w),rx_buffer,-GDATA_W=$(w),,tests/unit/rx/int_records.c)))
$(foreach w,64 256 512,$(eval $(UNIT)/rx/test_rx_buffer_$(w): tests/unit/rx/test_rx_buffer_512.c $(RX_TEST_H)))

$(foreach w,64 512,$(eval $(call unit_test,rx,test_rx_raw_$(w),rx_raw,-GDATA_W=$(w))))
$(foreach w,64 512,$(eval $(UNIT)/rx/test_rx_raw_$(w): tests/unit/rx/test_rx_raw_512.c))
$(foreach w,64 128 256 512,$(eval $(call unit_test,rx,test_rx_answer_$(w),rx_answer,-GDATA_W=$(w))))
$(foreach w,64 128 256,$(eval $(UNIT)/rx/test_rx_answer_$(w): tests/unit/rx/test_rx_answer_512.c))
$(eval $(call unit_test,rx,test_rx_mcast,rx_mcast_tb,,tests/unit/rx/rx_mcast_tb.sv,tests/unit/rx/int_records.c))

$(foreach w,64 512,$(eval $(call unit_test,rx,test_rx_merge_$(w),rx_merge,-GDATA_W=$(w))))
$(foreach w,64 512,$(eval $(UNIT)/rx/test_rx_merge_$(w): tests/unit/rx/test_rx_merge_512.c))

$(eval $(call unit_test,rx,test_rx_qp_rules,rx_qp_rules))
$(eval $(call unit_test,rx,test_rx_ext,rx_ext))
$(eval $(call unit_test,rx,test_rx_record_meta,rx_record_meta))
$(eval $(call unit_test,rx,test_rx_record_meta_small,rx_record_meta,-GATOMIC=0))
$(foreach t,ext record_meta record_meta_small,$(eval $(UNIT)/rx/test_rx_$(t): tests/unit/rx/ext_test.h))
$(eval $(UNIT)/rx/test_rx_record_meta_small: tests/unit/rx/test_rx_record_meta.c)
$(eval $(call unit_test,rx,test_rx_gid_ring,rx_gid_ring))
$(eval $(call unit_test,rx,test_rx_gid_ring_small,rx_gid_ring,-GGIDS=8 -GGROUPS=0))
$(eval $(UNIT)/rx/test_rx_gid_ring_small: tests/unit/rx/test_rx_gid_ring.c)
$(eval $(call unit_test,rx,test_rx_links,rx_links,-GCELLS=32 -GSHARED=1))
$(eval $(call unit_test,rx,test_rx_links_each,rx_links,-GCELLS=32))
$(eval $(UNIT)/rx/test_rx_links_each: tests/unit/rx/test_rx_links.c)
