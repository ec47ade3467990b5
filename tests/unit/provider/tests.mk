# SPDX-License-Identifier: Apache-2.0
# The verbs provider over libcairn and the software device of tests/unit/driver; and the preloaded library itself.

# $(DRIVER_TEST_LIB): tests/unit/driver/tests.mk, read before this file.
PROVIDER_TEST_DIR := $(UNIT)/provider/lib
PROVIDER_TEST_CFLAGS := $(DRIVER_TEST_CFLAGS) -D_GNU_SOURCE -Ilibprovider -Itests/unit/provider
PROVIDER_TEST_OBJS := $(PROVIDER_SRC:libprovider/%.c=$(PROVIDER_TEST_DIR)/%.o)

$(PROVIDER_TEST_DIR)/%.o: libprovider/%.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) $(PROVIDER_TEST_CFLAGS) -c -o $@ $<
-include $(PROVIDER_TEST_OBJS:.o=.d)

# Linked with libibverbs as programs are: the provider's functions come before the library's.
# <test>
provider_test = $(call unit_program,provider,$(1),tests/unit/provider/$(1).c,$(PROVIDER_TEST_CFLAGS),$(PROVIDER_TEST_OBJS) $(DRIVER_TEST_LIB),-libverbs -ljansson -lpthread -ldl -rdynamic)

$(eval $(call provider_test,test_wr))
$(eval $(call provider_test,test_poll))
$(eval $(call provider_test,test_verbs))
$(eval $(call provider_test,test_object_verbs))
$(eval $(call script_test,provider,tests/unit/provider/test_interposed,$(PROVIDER_SO)))
$(eval $(call script_test,provider,tests/unit/provider/test_preload,$(PROVIDER_SO)))
