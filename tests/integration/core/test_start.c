// SPDX-License-Identifier: Apache-2.0
/*
 * Start-up: how many device cycles opening a NIC and connecting a pair of RC QPs take, with hosts
 * near and far, after a function that was stopped in the middle of its work, after one with many
 * QPs; and the firmware image that cannot be read, is damaged, is cut off by a reset, or is loaded
 * again.  NO_ANSWER=1: reads of it that are never answered, too, which takes the device's 17 to 34
 * ms, and the simulator's time.
 */
#include <stdio.h>
#include <string.h>

#include "priv.h"
#include "rdma.h"

#define OPEN_CYCLES 30000u
#define PAIR_CYCLES 21000u
#define KNOWN_CYCLES 21500u /* neighbours are looked up: more kicks and CSRs, of two cycles each */
#define OPEN_MS 20u
#define UNREAD_MS 200u /* more than the device waits for an answer */
#define LEN 4096u
#define LARGE 65536u

/* ---------------------------------------------------------------- how long it takes */

static void check_open(struct rdma *r, unsigned int nic)
{
	if (r->nic[nic].open_cycles > OPEN_CYCLES)
		rdma_fail(r, "opening NIC %u took %llu cycles, at most %u", nic,
			  (unsigned long long)r->nic[nic].open_cycles, OPEN_CYCLES);
}

static void use(struct rdma *r)
{
	unsigned int peer = r->nics - 1;
	struct rdma_buf *src = rdma_buf(r, 0, LEN, 0), *dst = rdma_buf(r, peer, LEN, 0);
	struct rdma_qp *qp = rdma_pair(r, 0, peer, NULL);
	struct rdma_wr wr = rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, LEN / 2);

	rdma_do(qp, &wr);
	wr = rdma_wr(CAIRN_WQE_OP_READ, src, LEN / 2, dst, LEN / 2, LEN / 2);
	rdma_do(qp, &wr);
}

static unsigned int width(void)
{
	const char *env = getenv("WIDTH");

	return env && *env ? (unsigned int)atoi(env) : 64;
}

static void cycles(void **state)
{
	struct rdma *r = rdma_begin(NULL);
	unsigned int pair[3];

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		pair[i] = (unsigned int)rdma_pair_cycles(r, i > 0);
	print_message("# %u bit: opened in %llu and %llu cycles; pair in %u, in %u with its "
		      "neighbours asked for, in %u when they are known\n",
		      width(), (unsigned long long)r->nic[0].open_cycles,
		      (unsigned long long)r->nic[1].open_cycles, pair[0], pair[1], pair[2]);
	check_open(r, 0);
	check_open(r, 1);
	rdma_assert(r, pair[0] <= PAIR_CYCLES && pair[2] <= KNOWN_CYCLES);
	rdma_assert(r, pair[1] > pair[2]); /* it was a question */
	use(r);
	rdma_end(r);
}

/* Memory that is near and far, with the smallest completions there are. */
static void near_and_far(void **state)
{
	static const unsigned int rtt[] = { 200, 1500 };
	static struct sim_pcie_cfg pcie[2];

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct rdma_cfg cfg = { .pcie = &pcie[i] };
		struct rdma *r;

		sim_pcie_cfg_default(&pcie[i], width(), sim_default_period(width()));
		pcie[i].read_rtt_ns = rtt[i];
		pcie[i].mps = 128;
		pcie[i].rcb = 64;
		pcie[i].split = SIM_SPLIT_RCB;
		pcie[i].no_ext_tag = true;
		r = rdma_begin(&cfg);
		print_message("# reads of %u ns: opened in %llu cycles\n", rtt[i],
			      (unsigned long long)r->nic[0].open_cycles);
		check_open(r, 0);
		check_open(r, 1);
		use(r);
		rdma_end(r);
	}
}

/* ---------------------------------------------------------------- after what ended badly */

/* Messages both ways on all of them, more than are done when it ends. */
static void traffic(struct rdma *r, unsigned int qps, size_t len)
{
	for (unsigned int i = 0; i < qps; i++) {
		struct rdma_buf *src = rdma_buf(r, 0, len, 0), *dst = rdma_buf(r, 1, len, 0);
		struct rdma_qp *qp = rdma_pair(r, 0, 1, NULL);
		struct rdma_wr wr[] = {
			rdma_wr(CAIRN_WQE_OP_WRITE, src, 0, dst, 0, len / 2),
			rdma_wr(CAIRN_WQE_OP_READ, src, len / 2, dst, len / 2, len / 2),
		};

		for (unsigned int k = 0; k < 2; k++)
			rdma_post(qp, &wr[k]);
		rdma_ring(qp);
		rdma_ledger_drop(qp);
	}
}

/*
 * What a process that is killed leaves: the function is reset, and the next one opens it at once,
 * while the peer still sends what it had under way.
 */
static void killed(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct rdma *r = rdma_begin(NULL);
		uint64_t from, reset;

		traffic(r, 4, LARGE);
		rdma_run(r, 1000 + 777 * i);
		from = sim_cycle(r->sim);
		rdma_assert(r, !sim_nic_flr(r->nic[0].sim));
		reset = sim_cycle(r->sim) - from;
		rdma_reopen(r, 0);
		print_message("# reset in %llu cycles, opened again in %llu\n",
			      (unsigned long long)reset,
			      (unsigned long long)r->nic[0].open_cycles);
		rdma_assert(r, reset + r->nic[0].open_cycles <= OPEN_CYCLES);
		r = rdma_begin(NULL);
		use(r);
		rdma_end(r);
	}
}

/* Closed with everything still there, and opened at once. */
static void closed_with_many(void **state)
{
	struct rdma *r = rdma_begin(NULL);

	(void)state;
	traffic(r, 12, LEN);
	rdma_give_up(r, 0);
	rdma_ok(r, rdma_try_open(r, 0, OPEN_MS), "cairn_open");
	check_open(r, 0);
	r = rdma_begin(NULL);
	use(r);
	rdma_end(r);
}

/* ---------------------------------------------------------------- images that are not read */

static void refused(struct rdma *r, int err, const char *part)
{
	int got = rdma_try_open(r, 0, UNREAD_MS);

	if (got != err || !strstr(cairn_last_error(), part))
		rdma_fail(r, "opens with %d, \"%s\"; expected %d, \"%s\"", got, cairn_last_error(),
			  err, part);
}

static void opens(struct rdma *r)
{
	rdma_ok(r, rdma_try_open(r, 0, OPEN_MS), "cairn_open");
	check_open(r, 0);
}

/* A read of the image, the first or a later one, goes wrong in each way. */
static void unread(void **state)
{
	static const struct {
		enum sim_pcie_fault fault;
		unsigned int nth;
		const char *part;
	} cases[] = {
		{ SIM_FAULT_UR, 0, "could not read" },	   { SIM_FAULT_UR, 300, "could not read" },
		{ SIM_FAULT_CA, 1, "could not read" },	   { SIM_FAULT_CA, 301, "could not read" },
		{ SIM_FAULT_POISON, 0, "could not read" }, { SIM_FAULT_POISON, 40, "could not read" },
		{ SIM_FAULT_DROP, 40, "could not read" },  { SIM_FAULT_ONES, 2, "damaged" },
	};
	struct rdma_cfg cfg = { .nics = 1 }; /* a frame to itself shows that it works */
	struct rdma *r = rdma_begin(&cfg);
	struct sim_pcie *pcie = sim_nic_pcie(r->nic[0].sim);

	(void)state;
	rdma_give_up(r, 0);
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim_pcie_fault_rule rule = { .fault = cases[i].fault,
						    .last = UINT64_MAX,
						    .skip = cases[i].nth,
						    .count = 1 };

		if (rule.fault == SIM_FAULT_DROP && !getenv("NO_ANSWER"))
			continue;
		rdma_assert(r, sim_pcie_fault_add(pcie, &rule) == 0);
		refused(r, -EIO, cases[i].part);
		rdma_assert(r, sim_pcie_fault_hits(pcie, 0) == 1);
		sim_pcie_fault_clear(pcie);
	}
	opens(r);
	r = rdma_begin(&cfg);
	use(r);
	rdma_end(r);
}

/* ---------------------------------------------------------------- the registers themselves */

struct image {
	struct cairn_fw_header head;
	struct cairn_dma mem; /* of the NIC */
	uint8_t bytes[CAIRN_CPU_RAM_BYTES];
};

static void read_image(struct rdma *r, struct image *image)
{
	const char *env = getenv("CAIRN_FIRMWARE");
	FILE *in = fopen(env && *env ? env : "build/firmware/cairn_fw.bin", "rb");

	rdma_assert(r, in);
	rdma_assert(r, fread(&image->head, sizeof(image->head), 1, in) == 1);
	rdma_assert(r, fread(image->bytes, 1, sizeof(image->bytes), in) == image->head.length);
	fclose(in);
	rdma_ok(r, cairn_dma_alloc(r->nic[0].dev, image->head.length, &image->mem), "memory");
	memcpy(image->mem.va, image->bytes, image->head.length);
}

static void set(struct rdma *r, uint32_t reg, uint64_t value)
{
	struct cairn_bus *bus = r->nic[0].dev->bus;

	rdma_ok(r,
		reg == CAIRN_REG_FW_BASE ? bus->ops->write64(bus, reg, value)
					 : bus->ops->write32(bus, reg, (uint32_t)value),
		"register");
}

static uint32_t status(struct rdma *r)
{
	uint32_t value;

	rdma_ok(r, cairn_read_reg(r->nic[0].dev, CAIRN_REG_STATUS, &value), "STATUS");
	return value & (CAIRN_REG_STATUS_FW_READY | CAIRN_REG_STATUS_FW_BAD |
			CAIRN_REG_STATUS_FW_UNREAD);
}

static void begin_load(struct rdma *r, uint64_t iova, uint32_t length, uint32_t crc)
{
	set(r, CAIRN_REG_CTRL, 0);
	rdma_run(r, 100);
	rdma_assert(r, !(status(r) & CAIRN_REG_STATUS_FW_READY)); /* BAD stays until then */
	set(r, CAIRN_REG_FW_BASE, iova);
	set(r, CAIRN_REG_FW_LEN, length);
	set(r, CAIRN_REG_FW_CRC, crc);
	set(r, CAIRN_REG_CTRL, CAIRN_REG_CTRL_CPU_RUN);
}

static void load(struct rdma *r, uint64_t iova, uint32_t length, uint32_t crc, uint32_t expect)
{
	uint64_t from = sim_cycle(r->sim);

	begin_load(r, iova, length, crc);
	while (!status(r)) {
		rdma_assert(r, sim_cycle(r->sim) - from < OPEN_CYCLES);
		rdma_run(r, 200);
	}
	if (status(r) != expect)
		rdma_fail(r, "%u bytes from 0x%llx: STATUS 0x%x, expected 0x%x", length,
			  (unsigned long long)iova, status(r), expect);
}

/* The core is loaded again and again without a reset: refused as it must be, and then good. */
static void by_register(void **state)
{
	const uint32_t ready = CAIRN_REG_STATUS_FW_READY, bad = CAIRN_REG_STATUS_FW_BAD;
	const uint32_t unread = bad | CAIRN_REG_STATUS_FW_UNREAD;
	struct rdma *r = rdma_begin(NULL);
	struct cairn_dev *dev = r->nic[0].dev;
	static struct image i;
	uint16_t command, off;
	uint64_t iova;
	uint32_t len, crc;

	(void)state;
	read_image(r, &i);
	iova = i.mem.iova;
	len = i.head.length;
	crc = i.head.crc;
	load(r, iova, len, crc, ready);
	load(r, iova, len, crc ^ 1, bad);
	load(r, iova, len - 4, crc, bad);
	load(r, iova, 0, crc, bad);
	load(r, iova, len + 2, crc, bad);
	load(r, iova, CAIRN_CPU_RAM_BYTES + 4, crc, bad);
	load(r, iova, UINT32_MAX - 3, crc, bad);
	((uint8_t *)i.mem.va)[len / 2] ^= 0x10;
	load(r, iova, len, crc, bad);
	((uint8_t *)i.mem.va)[len / 2] ^= 0x10;
	load(r, iova, len, crc, ready);

	rdma_ok(r, dev->bus->ops->cfg_read(dev->bus, PCI_COMMAND, &command, 2), "PCI_COMMAND");
	off = command & (uint16_t)~PCI_COMMAND_MASTER;
	rdma_ok(r, dev->bus->ops->cfg_write(dev->bus, PCI_COMMAND, &off, 2), "PCI_COMMAND");
	load(r, iova, len, crc, unread);
	rdma_ok(r, dev->bus->ops->cfg_write(dev->bus, PCI_COMMAND, &command, 2), "PCI_COMMAND");
	load(r, iova, len, crc, ready);
	cairn_dma_free(dev, &i.mem);
	rdma_give_up(r, 0);
	opens(r);
	r = rdma_begin(NULL);
	use(r);
	rdma_end(r);
}

/* A load that is stopped by CTRL or by a reset, anywhere: nothing of it is left. */
static void cut_off(void **state)
{
	struct rdma_cfg cfg = { .nics = 1 }; /* a frame to itself shows that it works */
	static struct image i;

	(void)state;
	for (unsigned int at = 0; at < 8; at++) {
		struct rdma *r = rdma_begin(&cfg);

		read_image(r, &i);
		begin_load(r, i.mem.iova, i.head.length, i.head.crc);
		rdma_run(r, at * at * 200);
		if (at & 1)
			load(r, i.mem.iova, i.head.length, i.head.crc, CAIRN_REG_STATUS_FW_READY);
		else
			rdma_assert(r, !sim_nic_flr(r->nic[0].sim));
		cairn_dma_free(r->nic[0].dev, &i.mem);
		rdma_give_up(r, 0);
		opens(r);
		r = rdma_begin(&cfg);
		use(r);
		rdma_end(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RDMA_TEST(cycles),	     RDMA_TEST(near_and_far), RDMA_TEST(killed),
		RDMA_TEST(closed_with_many), RDMA_TEST(unread),	      RDMA_TEST(by_register),
		RDMA_TEST(cut_off),
	};

	return RDMA_RUN("start", tests);
}
