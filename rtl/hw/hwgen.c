// SPDX-License-Identifier: Apache-2.0
/* hwgen: command line.  See hwgen.h. */
#include "hwgen.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	static const struct table *const tables[] = { &hw_table, &pkt_table, &int_table, NULL };
	static const struct {
		const char *name;
		void (*print)(const struct table *table);
	} outputs[] = { { "c", print_c },
			{ "sv", print_sv },
			{ "md", print_md },
			{ "fw", print_fw },
			{ "commands", print_commands } };

	check_tables(tables);
	for (int t = 0; argc == 3 && tables[t]; t++) {
		for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); i++) {
			if (strcmp(argv[1], tables[t]->stem) || strcmp(argv[2], outputs[i].name))
				continue;
			outputs[i].print(tables[t]);
			return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
		}
	}
	if (argc == 2 && !strcmp(argv[1], "check"))
		return EXIT_SUCCESS;
	fprintf(stderr, "usage: hwgen check | hwgen hw|pkt|int c|sv|md|fw > FILE | "
			"hwgen hw commands < OLD > FILE\n");
	return EXIT_FAILURE;
}
