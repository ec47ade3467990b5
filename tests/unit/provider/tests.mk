# SPDX-License-Identifier: Apache-2.0
# The verbs provider over libcairn and the software device of tests/unit/driver; and the preloaded library itself.

# $(DRIVER_TEST_LIB): tests/unit/driver/tests.mk, read before this file.
PROVIDER_TEST_DIR := $(UNIT)/provider/lib
PROVIDER_TEST_CFLAGS := $(DRIVER_TEST_CFLAGS) -D_GNU_SOURCE -Ilibprovider -Itests/unit/provider
PROVIDER_TEST_OBJS := $(PROVIDER_SRC:libprovider/%.c=$(PROVIDER_TEST_DIR)/%.o) $(PROVIDER_TEST_DIR)/sim_stat_read.o

$(PROVIDER_TEST_DIR)/%.o: libprovider/%.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) $(PROVIDER_TEST_CFLAGS) -c -o $@ $<
$(PROVIDER_TEST_DIR)/sim_stat_read.o: sim/sim_stat_read.c
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
$(eval $(call provider_test,test_files))
$(eval $(call provider_test,test_dirs))
# Its allocation, the linker sends to the test.
$(eval $(call unit_program,provider,test_interfaces,tests/unit/provider/test_interfaces.c,$(PROVIDER_TEST_CFLAGS),$(PROVIDER_TEST_OBJS) $(DRIVER_TEST_LIB),-libverbs -ljansson -lpthread -ldl -rdynamic -Wl$(test_comma)--wrap=calloc))
# With a table of trees that has one of its own.
$(eval $(call unit_program,provider,test_trees,tests/unit/provider/test_trees.c,$(PROVIDER_TEST_CFLAGS),$(filter-out %/files_table.o,$(PROVIDER_TEST_OBJS)) $(DRIVER_TEST_LIB),-libverbs -ljansson -lpthread -ldl -rdynamic))
# The look-up of the real library's functions, the linker sends to the test.
$(eval $(call unit_program,provider,test_domains,tests/unit/provider/test_domains.c,$(PROVIDER_TEST_CFLAGS),$(PROVIDER_TEST_OBJS) $(DRIVER_TEST_LIB),-libverbs -ljansson -lpthread -ldl -rdynamic -Wl$(test_comma)--wrap=real_symbol))
$(eval $(call provider_test,test_share))
# What it allocates and opens, the linker sends to the test.
STARVED_WRAPS := malloc calloc realloc strdup tsearch fopen fdopen canonicalize_file_name scandirat open openat eventfd memfd_create socket socketpair ftruncate pthread_create mmap
$(eval $(call unit_program,provider,test_starved,tests/unit/provider/test_starved.c,$(PROVIDER_TEST_CFLAGS),$(PROVIDER_TEST_OBJS) $(DRIVER_TEST_LIB),-libverbs -ljansson -lpthread -ldl -rdynamic $(patsubst %,-Wl$(test_comma)--wrap=%,$(STARVED_WRAPS))))
$(eval $(call script_test,provider,tests/unit/provider/test_interposed,$(PROVIDER_SO)))
$(eval $(call script_test,provider,tests/unit/provider/test_preload,$(PROVIDER_SO)))
VERBS_PROBE := $(UNIT)/provider/verbs_probe
$(VERBS_PROBE): tests/unit/provider/verbs_probe.c $(PROVIDER_TEST_OBJS) $(DRIVER_TEST_LIB)
	@mkdir -p $(@D)
	@$(TEST_CC) $(TEST_CFLAGS) $(PROVIDER_TEST_CFLAGS) -MF $@.d -o $@ $< $(PROVIDER_TEST_OBJS) $(DRIVER_TEST_LIB) \
		-libverbs -ljansson -lpthread -ldl -rdynamic
-include $(VERBS_PROBE).d
$(eval $(call script_test,provider,tests/unit/provider/test_verbs_table,$(VERBS_PROBE) $(PROVIDER_SO)))
FAKE_SYS := $(UNIT)/provider/fake_sys.so
$(FAKE_SYS): tests/unit/provider/fake_sys.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -fPIC -shared -Wall -Wextra -Werror -o $@ $<
FORK_FIRST := $(UNIT)/provider/fork_first
$(FORK_FIRST): tests/unit/provider/fork_first.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -o $@ $< -lpthread
$(eval $(call script_test,provider,tests/unit/provider/test_sysfs,$(PROVIDER_SO) $(FAKE_SYS) $(FORK_FIRST)))

# Everything again with ThreadSanitizer, for one test.
TSAN_TEST_DIR := $(UNIT)/provider/tsan
TSAN_TEST_OBJS := $(PROVIDER_SRC:libprovider/%.c=$(TSAN_TEST_DIR)/libprovider/%.o) \
	$(DRIVER_SRC:driver/%.c=$(TSAN_TEST_DIR)/driver/%.o) $(TSAN_TEST_DIR)/sim/sim_stat_read.o \
	$(patsubst %,$(TSAN_TEST_DIR)/tests/unit/driver/%.o,fake_bus fake_cmd fake_mr fake_setup)
$(TSAN_TEST_OBJS): private TEST_SAN := -fsanitize=thread
$(TSAN_TEST_OBJS): $(TSAN_TEST_DIR)/%.o: %.c
	@mkdir -p $(@D)
	@$(CCACHE) $(TEST_CC) $(TEST_CFLAGS) $(if $(filter driver/% tests/%,$<),$(DRIVER_TEST_CFLAGS),$(PROVIDER_TEST_CFLAGS)) -c -o $@ $<
-include $(TSAN_TEST_OBJS:.o=.d)
$(UNIT)/provider/test_threads: private TEST_SAN := -fsanitize=thread
$(eval $(call unit_program,provider,test_threads,tests/unit/provider/test_threads.c,$(PROVIDER_TEST_CFLAGS),$(TSAN_TEST_OBJS),-libverbs -ljansson -lpthread -ldl -rdynamic))
