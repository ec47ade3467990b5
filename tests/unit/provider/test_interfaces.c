// SPDX-License-Identifier: Apache-2.0
/*
 * getifaddrs(): addresses of a NIC behind those of the kernel's interfaces, and freeifaddrs() of
 * both; the kernel's are there as without us, and what cannot be known fails.
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>

#include "files_test.h"

#define BOTH "\"fe80::ca:12ff:fe00:105\", \"::ffff:10.0.0.5\", \"::\", \"fd00::5\""

static void write_gids(int pid, const char *gids)
{
	FILE *facts = fopen(in_run_dir("nic5.json"), "we");

	fprintf(facts,
		"{ \"name\": \"cairn_5\", \"guid\": \"00ca:12ff:fe00:0105\", \"pid\": %d, \"gids\": [ %s ] }\n",
		pid, gids);
	fclose(facts);
}

/* How many entries there are, and which is the NIC's first. */
static unsigned int entries(const struct ifaddrs *list, const struct ifaddrs **first)
{
	unsigned int n = 0;

	*first = NULL;
	for (; list; list = list->ifa_next, n++)
		if (!*first && !strcmp(list->ifa_name, "cairn_5"))
			*first = list;
	return n;
}

/* Without our NIC. */
static unsigned int kernels(void)
{
	char *sockets = strdup(getenv("CAIRN_SOCKETS"));
	const struct ifaddrs *ours;
	struct ifaddrs *list;
	unsigned int n;

	setenv("CAIRN_SOCKETS", "/nonexistent/nic0.sock", 1);
	assert_int_equal(getifaddrs(&list), 0);
	n = entries(list, &ours);
	assert_null(ours);
	freeifaddrs(list);
	setenv("CAIRN_SOCKETS", sockets, 1);
	free(sockets);
	return n;
}

static void assert_entry(const struct ifaddrs *ifa, int family, const char *wanted,
			 unsigned int flags)
{
	char text[INET6_ADDRSTRLEN];
	const void *addr, *mask;

	assert_non_null(ifa);
	assert_string_equal(ifa->ifa_name, "cairn_5");
	assert_int_equal(ifa->ifa_flags, flags);
	assert_int_equal(ifa->ifa_addr->sa_family, family);
	assert_int_equal(ifa->ifa_netmask->sa_family, family);
	addr = family == AF_INET ? (void *)&((struct sockaddr_in *)ifa->ifa_addr)->sin_addr
				 : (void *)&((struct sockaddr_in6 *)ifa->ifa_addr)->sin6_addr;
	mask = family == AF_INET ? (void *)&((struct sockaddr_in *)ifa->ifa_netmask)->sin_addr
				 : (void *)&((struct sockaddr_in6 *)ifa->ifa_netmask)->sin6_addr;
	assert_non_null(inet_ntop(family, addr, text, sizeof(text)));
	assert_string_equal(text, wanted);
	assert_non_null(inet_ntop(family, mask, text, sizeof(text)));
	assert_string_equal(text, family == AF_INET ? "255.255.255.255"
						    : "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
}

/* Link-local and empty entries of the table are not among them. */
static void addresses(void **state)
{
	unsigned int before = kernels(), up = IFF_UP | IFF_MULTICAST;
	const struct ifaddrs *ours;
	struct ifaddrs *list;

	(void)state;
	write_gids(getpid(), BOTH);
	assert_int_equal(getifaddrs(&list), 0);
	assert_int_equal(entries(list, &ours), before + 2);
	assert_entry(ours, AF_INET, "10.0.0.5", up | IFF_RUNNING);
	assert_entry(ours->ifa_next, AF_INET6, "fd00::5", up | IFF_RUNNING);
	assert_null(ours->ifa_next->ifa_next);
	freeifaddrs(list);
}

/* Who simulates it has gone: nothing runs there. */
static void link_down(void **state)
{
	const struct ifaddrs *ours;
	struct ifaddrs *list;

	(void)state;
	write_gids(0, BOTH);
	assert_int_equal(getifaddrs(&list), 0);
	entries(list, &ours);
	assert_entry(ours, AF_INET, "10.0.0.5", IFF_UP | IFF_MULTICAST);
	freeifaddrs(list);
}

static void no_address(void **state)
{
	unsigned int before = kernels();
	const struct ifaddrs *ours;
	struct ifaddrs *list;

	(void)state;
	write_gids(getpid(), "\"fe80::ca:12ff:fe00:105\"");
	assert_int_equal(getifaddrs(&list), 0);
	assert_int_equal(entries(list, &ours), before);
	assert_null(ours);
	freeifaddrs(list);
	freeifaddrs(NULL);
}

static bool no_memory;
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
	return no_memory ? NULL : __real_calloc(n, size);
}

/* No list rather than half a one; what the kernel's part took is given back (LeakSanitizer). */
static void starved(void **state)
{
	struct ifaddrs *list = NULL;

	(void)state;
	assert_int_equal(getifaddrs(&list), 0); /* the NIC is known from here on */
	freeifaddrs(list);
	no_memory = true;
	REFUSED(getifaddrs(&list), ENOMEM);
	no_memory = false;
	assert_null(list);
	assert_int_equal(getifaddrs(&list), 0);
	freeifaddrs(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILES_TEST(addresses),
		FILES_TEST(link_down),
		FILES_TEST(no_address),
		FILES_TEST(starved),
	};

	return cmocka_run_group_tests(tests, files_group_setup, files_group_teardown);
}
