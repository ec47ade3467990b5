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
$(eval $(call provider_test,test_latency))
$(eval $(call provider_test,test_lat_files))
$(eval $(call provider_test,test_requests))
$(eval $(call provider_test,test_verbs))
$(eval $(call provider_test,test_events))
$(eval $(call provider_test,test_loss))
$(eval $(call provider_test,test_object_verbs))
$(eval $(call provider_test,test_process))
$(eval $(call provider_test,test_fields))
$(eval $(call provider_test,test_conditions))
$(eval $(call provider_test,test_descriptors))
# What it allocates and opens, the linker sends to the test.
STARVED_WRAPS := malloc calloc realloc strdup tsearch fopen fdopen realpath scandirat open openat eventfd memfd_create socket socketpair ftruncate pthread_create mmap
$(eval $(call unit_program,provider,test_starved,tests/unit/provider/test_starved.c,$(PROVIDER_TEST_CFLAGS),$(PROVIDER_TEST_OBJS) $(DRIVER_TEST_LIB),-libverbs -ljansson -lpthread -ldl -rdynamic $(patsubst %,-Wl$(test_comma)--wrap=%,$(STARVED_WRAPS))))
$(eval $(call script_test,provider,tests/unit/provider/test_interposed,$(PROVIDER_SO)))
$(eval $(call script_test,provider,tests/unit/provider/test_preload,$(PROVIDER_SO)))

# Everything again with ThreadSanitizer, for one test.
TSAN_TEST_DIR := $(UNIT)/provider/tsan
TSAN_TEST_OBJS := $(PROVIDER_SRC:libprovider/%.c=$(TSAN_TEST_DIR)/libprovider/%.o) \
	$(DRIVER_SRC:driver/%.c=$(TSAN_TEST_DIR)/driver/%.o) \
	$(patsubst %,$(TSAN_TEST_DIR)/tests/unit/driver/%.o,fake_bus fake_cmd fake_mr fake_setup)
$(TSAN_TEST_OBJS): private TEST_SAN := -fsanitize=thread
$(TSAN_TEST_OBJS): $(TSAN_TEST_DIR)/%.o: %.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) $(if $(filter libprovider/%,$<),$(PROVIDER_TEST_CFLAGS),$(DRIVER_TEST_CFLAGS)) -c -o $@ $<
-include $(TSAN_TEST_OBJS:.o=.d)
$(UNIT)/provider/test_threads: private TEST_SAN := -fsanitize=thread
$(eval $(call unit_program,provider,test_threads,tests/unit/provider/test_threads.c,$(PROVIDER_TEST_CFLAGS),$(TSAN_TEST_OBJS),-libverbs -ljansson -lpthread -ldl -rdynamic))
