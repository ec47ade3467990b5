# SPDX-License-Identifier: Apache-2.0
$(eval $(call unit_test,transport_req,test_requester,requester_tb,-GDATA_W=512,tests/unit/transport_req/requester_tb.sv))
$(eval $(call unit_test,transport_req,test_requester_64,requester_tb,-GDATA_W=64,tests/unit/transport_req/requester_tb.sv))

$(UNIT)/transport_req/test_requester_64: tests/unit/transport_req/test_requester.c
