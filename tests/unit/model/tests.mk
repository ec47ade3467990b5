# SPDX-License-Identifier: Apache-2.0
# The golden model of the transport (tests/lib/model.h): with itself over a bad channel, rule by rule, against captures.
MODEL_SRC := $(patsubst %,tests/lib/model%.c,_ans _cpl _dgram _mem _pkt _req _rsp) tests/lib/model.c
$(eval $(call c_test,model,test_model_talk,$(MODEL_SRC)))
MODEL_CAPTURE := $(MODEL_SRC) tests/lib/capture.c tests/lib/capture_scene.c sim/sim_pcap.c sim/sim_pkt.c
$(eval $(call c_test,model,test_model_captures,$(MODEL_CAPTURE)))
$(eval $(call c_test,model,test_model_captures_req,$(MODEL_CAPTURE)))
MODEL_RIG := $(MODEL_SRC) tests/unit/model/rig.c
$(eval $(call c_test,model,test_model_refusals,$(MODEL_RIG)))
$(eval $(call c_test,model,test_model_responder,$(MODEL_RIG)))
$(eval $(call c_test,model,test_model_requester,$(MODEL_RIG)))
$(eval $(call c_test,model,test_model_reads,$(MODEL_RIG)))
$(eval $(call c_test,model,test_model_dgram,$(MODEL_RIG)))
$(eval $(call c_test,model,test_model_fuzz,$(MODEL_RIG)))
