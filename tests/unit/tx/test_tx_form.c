// SPDX-License-Identifier: Apache-2.0
/*
 * tx_form: jobs at the four ports at any time, with headers of every opcode, IP version and tag;
 * what the builder reads of a header's place has to be what roce_frame.c makes of the job, byte by
 * byte. Also the order of ports, the length it tells, and the cycles of each header.
 */
#include <string.h>

#include "frame_job.h"

#define PORTS 4u
#define PLACES 64u
#define PLAIN 32u /* places of ACKs and CNPs */
#define JOBS 1500u
#define ROW 8u

enum { REQ, RSP, ACK, CNP };

struct job {
	bool offered;
	struct roce_frame f;
	unsigned int gid, slot;
	uint8_t header[256];
	size_t len;
};

/* A place with a header in it, which is looked at some time later. */
struct made {
	bool full;
	uint8_t header[256];
	size_t len;
	uint64_t at; /* when it was done */
};

static struct vtb *tb;
static const struct sim_port *job_port[PORTS];
static uint8_t gid[16][16];
static struct job job[PORTS];
static struct made made[PLACES];
static unsigned int idle_percent, jobs, looked_at;
static uint16_t ip_id;
static unsigned int at_work; /* the port; PORTS: none */
static uint64_t began;
static unsigned int wanted[3]; /* ports in this cycle, the one before, and before that */
static bool req_last;	       /* of requests and responses */
/* The reader: a place, row by row; what was asked for in this cycle, and in the one before. */
static struct read {
	bool valid;
	unsigned int slot, row;
} at, asked[2];

static uint8_t opcode_for(unsigned int port)
{
	for (;;) {
		uint8_t op = roce_opcodes[rng_below(&tb->rng, roce_n_opcodes)];
		bool ack = op == 0x11, rsp = op >= 0x0d && op <= 0x12 && !ack;

		if (port >= ACK)
			return port == ACK ? 0x11 : 0x81;
		if (op != 0x81 && !ack && rsp == (port == RSP))
			return op;
	}
}

static void set_port(unsigned int port)
{
	const struct job *j = &job[port];
	struct rec_tx_job rec = frame_job(&j->f, j->gid);

	rec.qpn = j->f.src_qp;
	vtb_put_tx_job(job_port[port], 0, &rec);
}

/* A place of the port that nobody uses; PLACES: none. */
static unsigned int free_place(unsigned int port)
{
	unsigned int first = port >= ACK ? PLAIN : 0, n = PLAIN;
	unsigned int at = (unsigned int)rng_below(&tb->rng, n);

	for (unsigned int i = 0; i < n; i++) {
		unsigned int slot = first + (at + i) % n;
		bool used = made[slot].full;

		for (unsigned int p = 0; p < PORTS; p++)
			used |= job[p].offered && job[p].slot == slot;
		if (!used)
			return slot;
	}
	return PLACES;
}

/*
 * An address with which the IPv4 checksum carries once more when it is folded, which it hardly ever
 * does: the low half of the sum is about 0xffff, some frames may come before.
 */
static void make_carry(struct roce_frame *f)
{
	static uint8_t frame[ROCE_MAX_FRAME];
	const uint8_t *ip = frame + 14 + 4 * f->vlan;
	uint32_t sum = 0, word;

	f->ip_id = ip_id;
	roce_build(f, frame);
	for (unsigned int i = 0; i < 20; i += 2)
		sum += i == 10 ? 0 : (uint32_t)be(ip + i, 2);
	word = (uint32_t)be(f->dgid + 14, 2) + 0xfffe - (sum & 0xffff);
	f->dgid[14] = (uint8_t)(word >> 8);
	f->dgid[15] = (uint8_t)word;
}

static void offer(unsigned int port)
{
	static const uint8_t none[4096];
	struct job *j = &job[port];
	uint8_t opcode = opcode_for(port);

	/* ACKs and CNPs are given one place, so only one of them is there at a time */
	if (port >= ACK && job[port ^ 1].offered)
		return;
	j->slot = free_place(port);
	if (j->slot == PLACES)
		return;
	roce_random(&j->f, &tb->rng, opcode);
	j->f.migreq = port != CNP;
	j->f.becn = port == CNP;
	j->gid = (unsigned int)rng_below(&tb->rng, 16);
	memcpy(j->f.smac, "\x52\x54\x00\x12\x34\x01", 6);
	memcpy(j->f.sgid, gid[j->gid], 16);
	rng_bytes(&tb->rng, j->f.dgid, 16);
	j->f.pay = none;
	j->f.pay_len = roce_op(opcode).payload ? (size_t)rng_below(&tb->rng, 4097) : 0;
	if (rng_percent(&tb->rng, 20))
		j->f.pay_len = roce_op(opcode).payload ? (size_t)rng_below(&tb->rng, 5) : 0;
	if (!j->f.ipv6 && rng_percent(&tb->rng, 20))
		make_carry(&j->f);
	j->offered = true;
	set_port(port);
	if (port < ACK)
		vtb_set(tb, port == REQ ? "req_slot_i" : "rsp_slot_i", j->slot);
	else
		vtb_set(tb, "plain_slot_i", j->slot);
	jobs++;
}

/* The header, of which the identification is known when its turn has come. */
static void build(struct job *j)
{
	static uint8_t frame[ROCE_MAX_FRAME];
	struct roce_op op = roce_op(j->f.opcode);

	j->f.ip_id = ip_id;
	roce_build(&j->f, frame);
	j->len = 14 + 4u * j->f.vlan + (j->f.ipv6 ? 40 : 20) + 8 + 12 + roce_ext_len(op) +
		 16u * op.cnp;
	memcpy(j->header, frame, j->len);
	ip_id = (uint16_t)(ip_id + !j->f.ipv6);
}

/* One for each piece, and one for the checksum. */
static unsigned int cycles(const struct job *j)
{
	struct roce_op op = roce_op(j->f.opcode);
	size_t behind_bth = roce_ext_len(op) + 16u * op.cnp;

	return 2u + j->f.vlan + (j->f.ipv6 ? 5u : 3u) + 3u + (unsigned int)behind_bth / 8 + 1u;
}

static void drive_jobs(struct vtb *bench, void *arg)
{
	(void)bench;
	(void)arg;
	wanted[2] = wanted[1];
	wanted[1] = wanted[0];
	wanted[0] = 0;
	for (unsigned int port = 0; port < PORTS; port++) {
		if (!job[port].offered && jobs < JOBS && !rng_percent(&tb->rng, idle_percent))
			offer(port);
		wanted[0] |= (unsigned int)job[port].offered << port;
	}
	vtb_set(tb, "want_i", wanted[0]);
}

/* The builder: any header that is whole, with pauses; else it reads what does not matter. */
static void drive_reader(struct vtb *bench, void *arg)
{
	unsigned int slot = (unsigned int)rng_below(&tb->rng, PLACES);

	(void)bench;
	(void)arg;
	if (!at.valid && made[slot].full && tb->cycle > made[slot].at + 2 &&
	    !(asked[0].valid && asked[0].slot == slot))
		at = (struct read){ true, slot, 0 };
	asked[1] = asked[0];
	asked[0] = at;
	asked[0].valid &= !rng_percent(&tb->rng, idle_percent);
	vtb_set(tb, "rd_valid_i", asked[0].valid || rng_percent(&tb->rng, 20));
	vtb_set(tb, "rd_addr_i", asked[0].valid ? at.slot << 4 | at.row : slot << 4);
	if (!asked[0].valid)
		return;
	at.row++;
	at.valid = at.row * ROW < made[at.slot].len;
}

static void check_row(const struct read *read)
{
	struct made *m = &made[read->slot];
	uint64_t row = vtb_get(tb, "rd_data_o");
	size_t from = read->row * ROW;

	for (unsigned int b = 0; b < ROW && from + b < m->len; b++) {
		uint8_t is = row >> (8 * b) & 0xff;

		if (is != m->header[from + b])
			vtb_fail(tb, "place %u: byte %zu of the header is 0x%02x, must be 0x%02x",
				 read->slot, from + b, is, m->header[from + b]);
	}
	if (from + ROW < m->len)
		return;
	m->full = false;
	looked_at++;
}

/* ACKs first, then CNPs; requests and responses in turn. */
static void check_choice(unsigned int port, unsigned int waited)
{
	unsigned int must = waited & 1u << ACK	 ? ACK
			    : waited & 1u << CNP ? CNP
			    : (waited & 3) == 3	 ? (req_last ? RSP : REQ)
			    : waited & 1u << RSP ? RSP
						 : REQ;

	vtb_check_eq(tb, port, must);
	if (port <= RSP)
		req_last = port == REQ;
}

static unsigned int port_of(uint64_t strobe)
{
	unsigned int port = 0;

	vtb_check(tb, !(strobe & (strobe - 1)));
	while (!(strobe >> port & 1))
		port++;
	vtb_check(tb, job[port].offered);
	return port;
}

/* A job begins two cycles after it was chosen. */
static void begins(unsigned int port)
{
	vtb_check_eq(tb, at_work, PORTS);
	check_choice(port, wanted[2]);
	build(&job[port]);
	vtb_check_eq(tb, vtb_get(tb, "off_o"), job[port].len % 8);
	at_work = port;
	began = tb->cycle;
}

static void ends(unsigned int port)
{
	struct job *j = &job[port];
	struct made *m = &made[j->slot];

	vtb_check_eq(tb, port, at_work);
	vtb_check_eq(tb, tb->cycle - began + 3, cycles(j));
	*m = (struct made){ .full = true, .len = j->len, .at = tb->cycle };
	memcpy(m->header, j->header, j->len);
	j->offered = false;
	at_work = PORTS;
}

static void sample(struct vtb *bench, void *arg)
{
	uint64_t begin = vtb_get(tb, "begin_o"), done = vtb_get(tb, "done_o");

	(void)bench;
	(void)arg;
	if (asked[1].valid)
		check_row(&asked[1]);
	if (begin)
		begins(port_of(begin));
	if (done)
		ends(port_of(done));
	if (at_work < PORTS)
		vtb_check_eq(tb, vtb_get(tb, "idle_o"), 0);
}

static void put_gid(unsigned int i)
{
	const struct sim_port *addr = vtb_port(tb, "gid_addr_i");

	vtb_set(tb, "gid_we_i", 1);
	vtb_set(tb, "gid_index_i", i);
	for (unsigned int half = 0; half < 2; half++)
		vtb_put_bits(addr, 64 * (1 - half), 64, be(gid[i] + 8 * half, 8));
}

static void set_up(void)
{
	static const char *const names[PORTS] = { "req_i", "rsp_i", "ack_i", "cnp_i" };

	memset(job, 0, sizeof(job));
	memset(made, 0, sizeof(made));
	memset(asked, 0, sizeof(asked));
	memset(wanted, 0, sizeof(wanted));
	at.valid = false;
	jobs = looked_at = 0;
	ip_id = 0;
	at_work = PORTS;
	req_last = false;
	tb = vtb_create();
	vtb_set(tb, "mac_addr_i", 0x525400123401);
	for (unsigned int i = 0; i < PORTS; i++)
		job_port[i] = vtb_port(tb, names[i]);
	for (unsigned int i = 0; i < 16; i++) {
		rng_bytes(&tb->rng, gid[i], 16);
		put_gid(i);
		vtb_tick(tb);
	}
	vtb_set(tb, "gid_we_i", 0);
	vtb_on_drive(tb, drive_jobs, NULL);
	vtb_on_drive(tb, drive_reader, NULL);
	vtb_on_sample(tb, sample, NULL);
}

static void headers(unsigned int idle)
{
	idle_percent = idle;
	set_up();
	vtb_run_until(tb, looked_at == JOBS, JOBS * (100 + 10 * (uint64_t)idle));
	vtb_run(tb, 3);
	vtb_check_eq(tb, vtb_get(tb, "idle_o"), 1);
	vtb_destroy(tb);
}

static void no_pause(void **state)
{
	(void)state;
	headers(0);
}

static void pauses(void **state)
{
	(void)state;
	headers(30);
	headers(90);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(no_pause), cmocka_unit_test(pauses) };

	return cmocka_run_group_tests_name("tx_form", tests, NULL, NULL);
}
