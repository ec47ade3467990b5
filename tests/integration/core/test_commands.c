// SPDX-License-Identifier: Apache-2.0
/*
 * Hostile commands at the real NIC: any command with anything in its fields, with a wrong check,
 * several at once, objects destroyed while others use them; each ends with a status, firmware stays
 * alive, and a flow of WRITEs beside it is never disturbed.  checks 60.  CMD_FUZZ=<commands> for a
 * long run (make test runs CMD_FUZZ_SHORT); what firmware makes of millions of them is tested
 * without RTL in tests/unit/firmware.
 */
#include "priv.h"
#include "rdma.h"

#define CMD_FUZZ_SHORT 300u
#define AT_ONCE 6u

struct scene {
	struct rdma *r;
	struct cairn_dev *dev;
	struct rdma_qp *qp;
	struct rdma_buf *a, *b;
	struct cairn_dma dma; /* rings and buffers of what is created */
	unsigned int ok, refused;
};

static uint64_t word(struct rng *rng)
{
	static const uint64_t edges[] = { 0,   1,   2,	  3,	 4,	15,	    16,	  64,
					  255, 256, 4096, 65535, 65536, 1ull << 31, ~0ull };
	uint64_t v = rng_u64(rng);

	return rng_percent(rng, 50) ? edges[rng_below(rng, sizeof(edges) / sizeof(edges[0]))]
				    : v >> rng_below(rng, 64);
}

static bool taken(const struct cairn_space *s, uint32_t n)
{
	return n < s->limit && (s->taken[n / 64] >> n % 64 & 1);
}

/* Not what the driver has made: numbers near the edges of the tables, or beyond. */
static uint32_t number(struct scene *s, enum cairn_cmd_op op)
{
	struct rng *rng = &s->r->rng;
	uint32_t n;

	do {
		n = rng_percent(rng, 85) ? 2 + (uint32_t)rng_below(rng, 4) : (uint32_t)word(rng);
		if (op >= CAIRN_CMD_OP_REG_MR && op <= CAIRN_CMD_OP_DEALLOC_MW)
			n = rng_percent(rng, 85) ? n << 8 | 7 : n;
		if (op == CAIRN_CMD_OP_SET_GID)
			n = n < 8 ? n + 8 : n;
		if (op == CAIRN_CMD_OP_CREATE_EQ || op == CAIRN_CMD_OP_DESTROY_EQ)
			n = n < 8 ? n + 20 : n;
	} while (taken(&s->dev->numbers[OBJECT_QP], n) || taken(&s->dev->numbers[OBJECT_CQ], n) ||
		 taken(&s->dev->numbers[OBJECT_SRQ], n) || taken(&s->dev->keys, n >> 8));
	return n;
}

static bool forbidden(uint32_t op)
{
	return op == CAIRN_CMD_OP_DISABLE || op == CAIRN_CMD_OP_SET_DB_PAGES ||
	       op == CAIRN_CMD_OP_RESOLVE; /* ends all; takes anybody's; takes a second */
}

/* What could work. */
static void fill(struct scene *s, struct cairn_cmd *cmd, uint32_t *buf)
{
	struct rng *rng = &s->r->rng;
	struct cairn_qp_create *qp = (void *)buf;
	struct cairn_cq_create *cq = (void *)buf;
	struct cairn_qp_attr *attr = (void *)buf;

	switch (CAIRN_GET(cmd->head, CAIRN_CMD_HEAD_OP)) {
	case CAIRN_CMD_OP_CREATE_QP:
		*qp = (struct cairn_qp_create){ .type = (uint32_t)rng_below(rng, 4),
						.pd = 1,
						.sq_cqn = 2,
						.rq_cqn = 2,
						.srqn = CAIRN_NO_NUMBER,
						.sq_log2 = 2,
						.sq_base = s->dma.iova };
		break;
	case CAIRN_CMD_OP_CREATE_CQ:
	case CAIRN_CMD_OP_RESIZE_CQ:
		*cq = (struct cairn_cq_create){
			.base = s->dma.iova, .ci_iova = s->dma.iova, .log2 = 4, .eqn = 1
		};
		break;
	case CAIRN_CMD_OP_MODIFY_QP:
		*attr = (struct cairn_qp_attr){ .state = (uint32_t)rng_below(rng, 7),
						.path_mtu = 1,
						.port = 1,
						.sgid_index = 1,
						.dgid = { [10] = 0xff, [11] = 0xff, [12] = 10 },
						.dmac = 2 };
		cmd->arg0 = rng_percent(rng, 50) ? CAIRN_QP_MASK_STATE : word(rng);
		if (attr->state == CAIRN_QP_STATE_INIT)
			cmd->arg0 = CAIRN_QP_MASK_STATE | CAIRN_QP_MASK_PKEY_INDEX |
				    CAIRN_QP_MASK_PORT | CAIRN_QP_MASK_ACCESS;
		break;
	case CAIRN_CMD_OP_REG_MR:
		cmd->arg1 = 64;
		cmd->arg2 = s->dma.iova;
		cmd->arg4 = CAIRN_MR_MODE_DIRECT;
		break;
	case CAIRN_CMD_OP_CREATE_EQ:
		cmd->ptr = s->dma.iova & ~4095ull;
		cmd->arg0 = 4;
		break;
	default:
		break;
	}
}

/* Write command `pi` of the driver's ring; the driver itself is at rest meanwhile. */
static void post(struct scene *s)
{
	struct cairn_cmdq *q = &s->dev->cmdq;
	struct rng *rng = &s->r->rng;
	uint32_t index = q->pi % CMDQ_ENTRIES, op;
	struct cairn_cmd *cmd = (void *)(q->cmds + index * CAIRN_CMD_SLOT_BYTES);
	uint32_t *buf = (void *)(cmd + 1);
	uint64_t *args = &cmd->arg0;

	memset(cmd, 0, CAIRN_CMD_SLOT_BYTES);
	do {
		op = (uint32_t)rng_below(rng, rng_percent(rng, 95) ? 52 : 256);
	} while (forbidden(op));
	cmd->head =
		(uint32_t)(CAIRN_PUT(CAIRN_CMD_HEAD_OP, op) | CAIRN_PUT(CAIRN_CMD_HEAD_ID, q->pi));
	cmd->number = op <= CAIRN_CMD_OP_QUERY_PORT ? 0 : number(s, op);
	if (rng_percent(rng, 2))
		cmd->ptr = s->dma.iova;
	cmd->check = (uint32_t)CAIRN_CMD_MAGIC << 16 | (q->pi & 0xffff);
	fill(s, cmd, buf);
	if (rng_percent(rng, 35)) {
		switch (rng_below(rng, 5)) {
		case 0:
			args[rng_below(rng, 5)] = word(rng);
			break;
		case 1:
			buf[rng_below(rng, 32)] = (uint32_t)word(rng);
			break;
		case 2:
			cmd->ptr += 4 * rng_below(rng, 16); /* not aligned */
			break;
		case 3:
			cmd->head ^= (uint32_t)rng_below(rng, 256) << 8;
			break;
		default:
			cmd->check ^= 1u << rng_below(rng, 32);
		}
	}
	/* hostile rings are never read: nothing is posted to what this makes */
	q->pi++;
}

static void finish(struct scene *s)
{
	struct cairn_cmdq *q = &s->dev->cmdq;

	rdma_ok(s->r, s->dev->bus->ops->write32(s->dev->bus, CAIRN_REG_CMDQ_DB, q->pi & 0xffff),
		"doorbell");
	for (uint64_t cycles = 0; q->ci != q->pi;) {
		const struct cairn_cmd_cpl *cpl = &q->cpls[q->ci % CMDQ_ENTRIES];
		uint32_t status;

		if (cpl->owner >> 31 == (q->ci >> CMDQ_LOG2 & 1)) {
			rdma_assert(s->r, (cycles += 200) < 4000000);
			rdma_run(s->r, 200);
			continue;
		}
		status = CAIRN_GET(cpl->head, CAIRN_CMD_CPL_HEAD_STATUS);
		if (status >= CAIRN_CMD_STATUS_INTERNAL)
			rdma_fail(s->r, "a command ends with status %u", status);
		s->ok += !status;
		s->refused += !!status;
		q->ci++;
	}
}

static void hostile(void **state)
{
	const char *env = getenv("CMD_FUZZ");
	unsigned int n = env && *env ? (unsigned int)strtoul(env, NULL, 0) : CMD_FUZZ_SHORT, done;
	struct scene s = { .r = rdma_begin(NULL) };
	struct rdma_wr wr;
	uint32_t reg;

	(void)state;
	s.dev = s.r->nic[0].dev;
	s.qp = rdma_pair(s.r, 0, 1, NULL);
	s.a = rdma_buf(s.r, 0, 4096, 1);
	s.b = rdma_buf(s.r, 1, 4096, 2);
	rdma_ok(s.r, cairn_dma_alloc(s.dev, 8192, &s.dma), "memory");
	for (done = 0; done < n; done += AT_ONCE) {
		wr = rdma_wr(CAIRN_WQE_OP_WRITE, s.a, done % 2000, s.b, done % 1500, 600);
		rdma_post(s.qp, &wr);
		rdma_ring(s.qp);
		for (unsigned int i = 0; i < AT_ONCE; i++)
			post(&s);
		finish(&s);
		rdma_wait(s.r);
	}
	rdma_ok(s.r, cairn_read_reg(s.dev, CAIRN_REG_STATUS, &reg), "STATUS");
	rdma_assert(s.r, (reg & CAIRN_REG_STATUS_FW_READY) && !(reg & CAIRN_REG_STATUS_FATAL));
	print_message("# %u commands to the NIC: %u succeed, %u are refused\n", done, s.ok,
		      s.refused);
	rdma_assert(s.r, s.ok > n / 20 && s.refused > n / 4);
	/* what the driver asks for still works */
	rdma_ok(s.r, cairn_query_port(s.dev, &(struct cairn_port_attr){ 0 }), "QUERY_PORT");
	rdma_do(rdma_pair(s.r, 0, 1, NULL), &wr);
	cairn_dma_free(s.dev, &s.dma);
	rdma_end(s.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = { RDMA_TEST(hostile) };

	return RDMA_RUN("commands", tests);
}
