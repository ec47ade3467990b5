// SPDX-License-Identifier: Apache-2.0
/*
 * Reading the words of a fault rule (sim_rule.h, docs/rules.md).  Messages name the word and what
 * it may be.
 */
#include "sim_rule.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn_pkt.h"
#include "sim_pkt.h"

#define WORD_MAX 128

struct parser {
	const char *text;
	char *err;
	unsigned int nics;
	bool has_peer;
	char word[WORD_MAX];
	struct sim_rule *rule;
};

static int fail(const struct parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int fail(const struct parser *p, const char *fmt, ...)
{
	va_list ap;
	int n = snprintf(p->err, SIM_ERR_MAX, "rule \"%.160s\": \"%s\": ", p->text, p->word);

	va_start(ap, fmt);
	vsnprintf(p->err + n, SIM_ERR_MAX - (size_t)n, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* ---- values ---- */

static bool parse_u64(const char **s, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return false;
	errno = 0;
	*value = strtoull(*s, &end, **s == '0' && (*s)[1] == 'x' ? 16 : 10);
	*s = end;
	return !errno;
}

/* A whole number that is all of s. */
static int number(const struct parser *p, const char *s, uint64_t lo, uint64_t hi, uint64_t *value)
{
	if (!parse_u64(&s, value) || *s || *value < lo || *value > hi)
		return fail(p, "needs a number from %llu to %llu", (unsigned long long)lo, (unsigned long long)hi);
	return 0;
}

/* 3,5-7,0x10- */
static int ranges(const struct parser *p, const char *s, uint64_t lo, uint64_t hi,
		  struct sim_ranges *out)
{
	for (;; s++) {
		uint64_t a, b;

		if (out->n == SIM_RULE_RANGES)
			return fail(p, "has more than %d numbers or ranges", SIM_RULE_RANGES);
		if (!parse_u64(&s, &a))
			break;
		b = a;
		if (*s == '-') {
			s++;
			if (*s == ',' || !*s)
				b = hi;
			else if (!parse_u64(&s, &b))
				break;
		}
		if (a < lo || b > hi || a > b)
			return fail(p, "numbers go from %llu to %llu, ranges upwards", (unsigned long long)lo,
				    (unsigned long long)hi);
		out->r[out->n].lo = a;
		out->r[out->n++].hi = b;
		if (!*s)
			return 0;
		if (*s != ',')
			break;
	}
	return fail(p, "needs numbers and ranges, as in 3,5-7,20-");
}

/* 500, 2us, 10ms */
static int duration(const struct parser *p, const char *s, uint64_t *ns)
{
	static const struct { const char *unit; uint64_t ns; } units[] = {
		{ "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	};

	if (parse_u64(&s, ns))
		for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
			if (!strcmp(s, units[i].unit) && *ns <= 1000000000000ULL / units[i].ns) {
				*ns *= units[i].ns;
				return 0;
			}
	return fail(p, "needs a time of at most 1000 s: a number and ns, us, ms or s");
}

/* ---- actions ---- */

static int arg_bit(struct parser *p, const char *s)
{
	uint64_t bit;
	bool from_end = *s == '-';
	int ret = number(p, s + from_end, from_end, SIM_FRAME_MAX * 8 - !from_end, &bit);

	p->rule->arg = from_end ? -(int64_t)bit : (int64_t)bit;
	return ret;
}

static int arg_delay(struct parser *p, const char *s)
{
	uint64_t ns;
	int ret = duration(p, s, &ns);

	p->rule->arg = (int64_t)ns;
	return ret;
}

static int arg_number(struct parser *p, const char *s)
{
	static const uint64_t limit[SIM_ACTIONS] = {
		[SIM_DUP] = SIM_RULE_MAX_DUP, [SIM_REORDER] = 1000,
		[SIM_TRUNCATE] = SIM_FRAME_MAX - 1,
	};
	uint64_t value;
	int ret = number(p, s, 1, limit[p->rule->action], &value);

	p->rule->arg = (int64_t)value;
	return ret;
}

static const struct {
	const char *name;
	enum sim_action action;
	int (*arg)(struct parser *p, const char *s);	/* NULL: takes none */
	bool arg_needed;
	int64_t arg_default;
} actions[] = {
	{ "drop", SIM_DROP, NULL, false, 0 },
	{ "corrupt", SIM_CORRUPT, arg_bit, false, SIM_ANY_BIT },
	{ "badfcs", SIM_BADFCS, NULL, false, 0 },
	{ "dup", SIM_DUP, arg_number, false, 1 },
	{ "delay", SIM_DELAY, arg_delay, true, 0 },
	{ "reorder", SIM_REORDER, arg_number, false, 1 },
	{ "ecn", SIM_ECN, NULL, false, 0 },
	{ "truncate", SIM_TRUNCATE, arg_number, true, 0 },
};

static int parse_action(struct parser *p)
{
	const char *colon = strchr(p->word, ':');
	size_t len = colon ? (size_t)(colon - p->word) : strlen(p->word);

	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		if (strlen(actions[i].name) != len || strncmp(actions[i].name, p->word, len))
			continue;
		p->rule->action = actions[i].action;
		p->rule->arg = actions[i].arg_default;
		if (colon && !actions[i].arg)
			return fail(p, "%s takes no argument", actions[i].name);
		if (!colon && actions[i].arg_needed)
			return fail(p, "%s needs an argument, %s:...", actions[i].name, actions[i].name);
		return colon ? actions[i].arg(p, colon + 1) : 0;
	}
	return fail(p, "a rule begins with drop, corrupt[:BIT], badfcs, dup[:N], delay:TIME, reorder[:N], ecn or "
		       "truncate:BYTES");
}

/* ---- selectors ---- */

static int port(struct parser *p, const char *s, size_t len, int *out)
{
	unsigned int nic = 0;

	if (len == 1 && *s == '*') {
		*out = SIM_ANY_PORT;
		return 0;
	}
	if (len == 4 && !strncmp(s, "peer", 4)) {
		if (!p->has_peer)
			return fail(p, "there is no peer on this wire (--wire tap: or dgram:)");
		*out = (int)p->nics;
		return 0;
	}
	if (len < 4 || len > 6 || strncmp(s, "nic", 3))
		return fail(p, "a direction is A>B, with nic0 to nic%u, peer or * on each side", p->nics - 1);
	for (size_t i = 3; i < len; i++) {
		if (!isdigit((unsigned char)s[i]))
			return fail(p, "a direction is A>B, with nic0 to nic%u, peer or * on each side", p->nics - 1);
		nic = nic * 10 + (unsigned int)(s[i] - '0');
	}
	if (nic >= p->nics)
		return fail(p, "this wire has nic0 to nic%u", p->nics - 1);
	*out = (int)nic;
	return 0;
}

static int direction(struct parser *p, const char *gt)
{
	int ret = port(p, p->word, (size_t)(gt - p->word), &p->rule->src);

	return ret ? ret : port(p, gt + 1, strlen(gt + 1), &p->rule->dst);
}

/* NAME[+NAME...][,...]: + narrows, a comma adds. */
static int sel_op(struct parser *p, const char *s)
{
	memset(p->rule->op, 0, sizeof(p->rule->op));
	p->rule->by_op = p->rule->roce_only = true;
	for (;;) {
		bool all[256];

		memset(all, 1, sizeof(all));
		for (;; s++) {
			size_t len = strcspn(s, "+,");
			bool one[256];

			if (!sim_pkt_opcodes(s, len, one))
				return fail(p, "\"%.*s\" is no opcode of pkt.def (rc_send_only, write_last), class (send, write, "
					    "read, atomic, ack, req, rsp, ...) or place (first, middle, last, only)",
					    (int)len, s);
			for (int i = 0; i < 256; i++)
				all[i] &= one[i];
			s += len;
			if (*s != '+')
				break;
		}
		if (!memchr(all, 1, sizeof(all)))
			return fail(p, "no opcode is all of that");
		for (int i = 0; i < 256; i++)
			p->rule->op[i] |= all[i];
		if (!*s)
			break;
		s++;
	}
	return 0;
}

static int sel_qp(struct parser *p, const char *s)
{
	p->rule->roce_only = true;
	if (*s == '#')
		return ranges(p, s + 1, 1, 1 << 24, &p->rule->qp_nth);
	return ranges(p, s, 0, 0xffffff, &p->rule->qp);
}

static int sel_psn(struct parser *p, const char *s)
{
	p->rule->roce_only = true;
	if (*s == '@')
		return ranges(p, s + 1, 0, 0xffffff, &p->rule->psn_abs);
	return ranges(p, s, 0, 0xffffff, &p->rule->psn);
}

static int sel_round(struct parser *p, const char *s)
{
	p->rule->roce_only = p->rule->by_round = true;
	return ranges(p, s, 1, UINT32_MAX, &p->rule->round);
}

static int sel_k(struct parser *p, const char *s)
{
	return ranges(p, s, 1, INT64_MAX, &p->rule->k);
}

static int sel_len(struct parser *p, const char *s)
{
	return ranges(p, s, SIM_FRAME_MIN, SIM_FRAME_MAX, &p->rule->len);
}

static int sel_every(struct parser *p, const char *s)
{
	return number(p, s, 1, INT64_MAX, &p->rule->every);
}

static int sel_count(struct parser *p, const char *s)
{
	return number(p, s, 1, INT64_MAX, &p->rule->count);
}

static int sel_after(struct parser *p, const char *s)
{
	return duration(p, s, &p->rule->after);
}

static int sel_before(struct parser *p, const char *s)
{
	return duration(p, s, &p->rule->before);
}

static int sel_p(struct parser *p, const char *s)
{
	char *end;

	p->rule->p = strtod(s, &end);
	if (end == s || *end || !(p->rule->p > 0 && p->rule->p <= 1))
		return fail(p, "needs a probability above 0, at most 1");
	return 0;
}

static int one_of(const struct parser *p, const char *s, const char *const *names, int *out)
{
	char list[80] = "";

	for (int i = 1; names[i]; i++) {
		if (!strcmp(s, names[i])) {
			*out = i;
			return 0;
		}
		strcat(strcat(list, i > 1 ? ", " : ""), names[i]);
	}
	return fail(p, "is one of %s", list);
}

static int sel_type(struct parser *p, const char *s)
{
	static const char *const names[] = { "", "roce", "arp", "ip", "other", NULL };
	int value = 0, ret = one_of(p, s, names, &value);

	p->rule->type = (enum sim_rule_type)value;
	return ret;
}

static int sel_aeth(struct parser *p, const char *s)
{
	static const char *const names[] = { "", "ack", "rnr", "nak", NULL };
	int value = 0, ret = one_of(p, s, names, &value);

	p->rule->roce_only = true;
	p->rule->aeth = (enum sim_rule_aeth)value;
	return ret;
}

static const struct {
	const char *name;
	int (*parse)(struct parser *p, const char *s);
} selectors[] = {
	{ "k", sel_k }, { "every", sel_every }, { "count", sel_count }, { "p", sel_p }, { "qp", sel_qp },
	{ "op", sel_op }, { "psn", sel_psn }, { "round", sel_round }, { "aeth", sel_aeth }, { "type", sel_type },
	{ "len", sel_len }, { "after", sel_after }, { "before", sel_before },
};

#define N_SELECTORS (sizeof(selectors) / sizeof(*selectors))

static int parse_selector(struct parser *p, unsigned int *given)
{
	const char *gt = strchr(p->word, '>'), *eq = strchr(p->word, '=');
	char list[160] = "";

	if (gt) {
		if (*given & 1)
			return fail(p, "a second direction");
		*given |= 1;
		return direction(p, gt);
	}
	for (size_t i = 0; i < N_SELECTORS; i++) {
		if (eq && strlen(selectors[i].name) == (size_t)(eq - p->word) &&
		    !strncmp(p->word, selectors[i].name, (size_t)(eq - p->word))) {
			if (*given & 2U << i)
				return fail(p, "%s is given twice", selectors[i].name);
			*given |= 2U << i;
			return selectors[i].parse(p, eq + 1);
		}
		strcat(strcat(strcat(list, i ? ", " : ""), selectors[i].name), "=");
	}
	return fail(p, "is no selector: A>B, %s", list);
}

/* ---- rules that no frame can meet ---- */

static uint64_t most(const struct sim_ranges *ranges, uint64_t otherwise)
{
	uint64_t hi = ranges->n ? 0 : otherwise;

	for (unsigned int i = 0; i < ranges->n; i++)
		hi = ranges->r[i].hi > hi ? ranges->r[i].hi : hi;
	return hi;
}

/* Is one of the frames that k= names also an every-th one? */
static bool k_meets_every(const struct sim_rule *rule)
{
	bool meets = !rule->k.n || !rule->every;

	for (unsigned int i = 0; !meets && i < rule->k.n; i++)
		meets = rule->k.r[i].hi / rule->every * rule->every >= rule->k.r[i].lo;
	return meets;
}

static bool an_opcode_has_aeth(const struct sim_rule *rule)
{
	for (unsigned int i = 0; i < 256; i++)
		if (rule->op[i] && cairn_opcode_table[i].ext & CAIRN_EXT_AETH)
			return true;
	return !rule->by_op;
}

/* Why no frame can fit all selectors, or NULL. */
static const char *contradiction(const struct parser *p)
{
	const struct sim_rule *rule = p->rule;

	if (p->nics + p->has_peer < 2)
		return "this wire has one port, no frame goes from one to another";
	if (rule->src != SIM_ANY_PORT && rule->src == rule->dst)
		return "no frame goes over the wire to where it comes from";
	if (rule->roce_only && rule->type != SIM_ANY_TYPE && rule->type != SIM_TYPE_ROCE)
		return "type= is not roce, and another selector is for RoCE packets only";
	if (rule->before <= rule->after)
		return "before= is not later than after=";
	if (!k_meets_every(rule))
		return "no frame of k= is one of every=";
	if (rule->aeth != SIM_ANY_AETH && !an_opcode_has_aeth(rule))
		return "no packet of op= has the AETH that aeth= looks at";
	return NULL;
}

/* Why the action does nothing to any of them, or NULL. */
static const char *no_effect(const struct sim_rule *rule)
{
	int64_t longest = (int64_t)most(&rule->len, SIM_FRAME_MAX), arg = rule->arg;

	if (rule->action == SIM_ECN && (rule->type == SIM_TYPE_ARP || rule->type == SIM_TYPE_OTHER))
		return "ecn marks IP packets, and type= has none";
	if (rule->action == SIM_TRUNCATE && arg >= longest)
		return "no frame of len= is longer than truncate: leaves it";
	if (rule->action == SIM_CORRUPT && arg != SIM_ANY_BIT &&
	    (arg < 0 ? -arg > longest * 8 : arg >= longest * 8))
		return "no frame of len= has the bit that corrupt: names";
	return NULL;
}

int sim_rule_parse(struct sim_rule *rule, const char *text, unsigned int nics, bool has_peer,
		   char *err)
{
	struct parser p = {
		.text = text, .err = err, .nics = nics, .has_peer = has_peer, .rule = rule
	};
	unsigned int words = 0, given = 0;
	const char *why;

	*rule = (struct sim_rule){
		.src = SIM_ANY_PORT, .dst = SIM_ANY_PORT, .p = 1, .before = SIM_NEVER
	};
	for (const char *s = text; *(s += strspn(s, " \t"));) {
		size_t len = strcspn(s, " \t");
		int ret;

		snprintf(p.word, sizeof(p.word), "%.*s", (int)len, s);
		if (len >= sizeof(p.word))
			return fail(&p, "is too long a word");
		ret = words++ ? parse_selector(&p, &given) : parse_action(&p);
		if (ret)
			return ret;
		s += len;
	}
	if (!words)
		return fail(&p, "an empty rule");
	why = contradiction(&p);
	if (!why)
		why = no_effect(rule);
	if (why)
		snprintf(err, SIM_ERR_MAX, "rule \"%.160s\": can never do anything: %s", text, why);
	return why ? -EINVAL : 0;
}
