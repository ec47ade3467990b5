// SPDX-License-Identifier: Apache-2.0
/*
 * C on the management core: loads selftest.c, built with the firmware's own start-up code, linker
 * script and flags, lets device time jump to the core's deadline whenever it is idle, as the
 * simulator does, and reads its console. The same program with time never jumping must say exactly
 * the same.
 */
#include <stdio.h>
#include <string.h>

#include "cpu_tb.h"

struct outcome {
	char text[4096];
	uint64_t cycles;
	unsigned int jumps;
};

static void run(struct outcome *o, bool jump)
{
	struct cpu *c = cpu_create();
	char path[200];
	uint64_t start;
	size_t len = 0;

	memset(o, 0, sizeof(*o));
	snprintf(path, sizeof(path), "%s/firmware/cpu_selftest.ram", cpu_build_dir());
	cpu_load_file(c, 0, path);
	cpu_start(c);
	vtb_eval(c->tb);
	start = c->tb->cycle;
	for (;;) {
		while (vtb_received(c->uart)) {
			vtb_check(c->tb, len < sizeof(o->text) - 1);
			o->text[len++] = (char)vtb_recv_word(c->uart);
		}
		if (vtb_read(c->p.fatal))
			vtb_fail(c->tb, "double trap at 0x%llx, cause %llu; console:\n%s",
				 (unsigned long long)vtb_get(c->tb, "fatal_pc_o"),
				 (unsigned long long)vtb_get(c->tb, "fatal_cause_o"), o->text);
		if (vtb_read(c->p.idle)) {
			if (!vtb_get(c->tb, "deadline_valid_o"))
				break;
			if (jump && vtb_get(c->tb, "deadline_o") > c->time + 2 * CPU_PERIOD_NS) {
				c->time = vtb_get(c->tb, "deadline_o") / CPU_PERIOD_NS *
					  CPU_PERIOD_NS;
				o->jumps++;
			}
		}
		vtb_tick(c->tb);
		if (c->tb->cycle - start > 1000000)
			vtb_fail(c->tb, "does not end; console:\n%s", o->text);
	}
	o->cycles = c->tb->cycle - start;
	cpu_destroy(c);
}

static unsigned int number_after(const char *text, const char *word)
{
	const char *at = strstr(text, word);
	unsigned int v = 0;

	assert_non_null(at);
	assert_int_equal(sscanf(at + strlen(word), "%u", &v), 1);
	return v;
}

static void c_program(void **state)
{
	static struct outcome o;
	unsigned int instructions, cycles;

	(void)state;
	run(&o, true);
	if (strstr(o.text, "BAD") || !strstr(o.text, "\nPASS\n"))
		fail_msg("%s", o.text);
	instructions = number_after(o.text, "instructions ");
	cycles = number_after(o.text, "cycles ");
	print_message("# %u instructions in %u cycles: %.2f a cycle\n", instructions, cycles,
		      (double)instructions / cycles);
	assert_true(instructions > 10000);
	/* at least 0.3 instructions a cycle on code of the firmware's kind */
	assert_true(instructions * 10 >= cycles * 3);
}

static void same_without_jumps(void **state)
{
	static struct outcome jumped, plain;

	(void)state;
	run(&jumped, true);
	run(&plain, false);
	assert_string_equal(jumped.text, plain.text);
	assert_true(jumped.jumps >= 5);
	assert_true(jumped.cycles < plain.cycles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c_program),
		cmocka_unit_test(same_without_jumps),
	};

	return cmocka_run_group_tests_name("cpu C program", tests, NULL, NULL);
}
