// SPDX-License-Identifier: Apache-2.0
/*
 * Send queue operations on both sides: for all 256 numbers the C table and the package say the
 * same, and the packets of each are what pkt.def has for such a message.
 */
#include "cairn_hw.h"
#include "cairn_pkt.h"
#include "vtb.h"

static void check_info(struct vtb *tb, unsigned int op)
{
	static const struct cairn_wqe_info none;
	const struct cairn_wqe_info *info = op < CAIRN_WQE_OPS ? &cairn_wqe_info[op] : &none;

	vtb_set(tb, "op_i", op);
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "valid_o"), info->name != NULL);
	vtb_check_eq(tb, vtb_get(tb, "types_o"), info->types);
	vtb_check_eq(tb, vtb_get(tb, "kinds_o"), info->name ? 1u << info->kind : 0);
	vtb_check_eq(tb, vtb_get(tb, "marks_o"), info->marks);
	vtb_check_eq(tb, vtb_get(tb, "needs_o"), info->needs);
	vtb_check_eq(tb, vtb_get(tb, "cqe_op_o"), info->cqe_op);
}

static void one_table(void **state)
{
	struct vtb *tb = vtb_create();

	(void)state;
	for (unsigned int op = 0; op < 256; op++)
		check_info(tb, op);
	vtb_destroy(tb);
}

static bool has(uint32_t flags, uint32_t flag)
{
	return flags & flag;
}

/* The packet at a place of a message of several, or alone. */
static void check_packet(struct vtb *tb, const struct cairn_wqe_info *info, unsigned int transport,
			 bool first, bool last)
{
	static const uint32_t kinds[] = { [CAIRN_WQE_KIND_SEND] = CAIRN_OPF_SEND,
					  [CAIRN_WQE_KIND_WRITE] = CAIRN_OPF_WRITE,
					  [CAIRN_WQE_KIND_READ] = CAIRN_OPF_READ,
					  [CAIRN_WQE_KIND_ATOMIC] = CAIRN_OPF_ATOMIC };
	uint8_t opcode = (uint8_t)(transport << 5 | info->bth[2 * first + last]);
	uint32_t flags = cairn_opcode_table[opcode].flags;
	bool whole = !(flags & CAIRN_OPF_PAYLOAD);

	vtb_set(tb, "transport_i", transport);
	vtb_set(tb, "first_i", first);
	vtb_set(tb, "last_i", last);
	vtb_eval(tb);
	vtb_check_eq(tb, vtb_get(tb, "opcode_o"), opcode);
	vtb_check(tb, has(flags, CAIRN_OPF_REQ) && has(flags, kinds[info->kind]));
	vtb_check_eq(tb, has(flags, CAIRN_OPF_START), first || whole);
	vtb_check_eq(tb, has(flags, CAIRN_OPF_END), last || whole);
	vtb_check_eq(tb, has(flags, CAIRN_OPF_IMM), last && info->marks & CAIRN_WQE_MARK_IMM);
	vtb_check_eq(tb, has(flags, CAIRN_OPF_INV), last && info->marks & CAIRN_WQE_MARK_INV);
}

static void packets(void **state)
{
	static const uint8_t transports[] = { [CAIRN_QP_TYPE_RC] = CAIRN_TRANSPORT_RC,
					      [CAIRN_QP_TYPE_UC] = CAIRN_TRANSPORT_UC,
					      [CAIRN_QP_TYPE_UD] = CAIRN_TRANSPORT_UD,
					      [CAIRN_QP_TYPE_GSI] = CAIRN_TRANSPORT_UD };
	struct vtb *tb = vtb_create();
	unsigned int seen = 0;

	(void)state;
	for (unsigned int i = 0; i < CAIRN_WQE_OPS * sizeof(transports) * 4; i++) {
		unsigned int op = i / 4 / sizeof(transports), type = i / 4 % sizeof(transports);
		const struct cairn_wqe_info *info = &cairn_wqe_info[op];
		bool first = i & 2, last = i & 1;
		bool datagram = transports[type] == CAIRN_TRANSPORT_UD;

		if (!info->name || info->kind == CAIRN_WQE_KIND_LOCAL ||
		    info->kind == CAIRN_WQE_KIND_NOP || !(info->types >> type & 1) ||
		    (datagram && !(first && last)))
			continue;
		vtb_set(tb, "op_i", op);
		check_packet(tb, info, transports[type], first, last);
		seen++;
	}
	vtb_check(tb, seen > 50);
	vtb_destroy(tb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_table),
		cmocka_unit_test(packets),
	};

	return cmocka_run_group_tests_name("send queue operations", tests, NULL, NULL);
}
