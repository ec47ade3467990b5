// SPDX-License-Identifier: Apache-2.0
/*
 * Captures of Linux' software RDMA replayed into the RTL (capt.h), each twice: the NIC is the host
 * that sent the first packet ("client"), then the other one.  A test is a capture and a side:
 *
 *     ONLY='loss_*client' build/integration/test_captures
 *
 * The program's name says which: test_captures, test_captures_ok, test_captures_all (wanted()).
 *
 * CAPTURES: another directory of captures (tests/fixtures).
 */
#define _GNU_SOURCE
#include "capt.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <unistd.h>

struct side {
	char path[200], name[96];
	bool client;
};

static struct capt_session session;
static struct capture_frame *frames;
static char pcap[64];
static bool failed;

void capt_fail(struct capt *c, const struct capture_frame *f, const char *format, ...)
{
	char text[400] = "", why[400];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	if (f)
		snprintf(text, sizeof(text), "frame %u, %s: ", (unsigned int)(f - c->frames) + 1,
			 capt_text(&f->packet));
	rdma_fail(c->r, "%s, the NIC is the %s: %s%s", c->name, c->client ? "client" : "server",
		  text, why);
}

/* The NIC has refused the packet that it got last, or has nothing to do with it any more. */
static bool refused(struct capt_qp *qp, unsigned int before)
{
	struct capt_list *list = &qp->out[1];

	for (unsigned int i = before; i < list->n; i++) {
		const uint8_t *ext = capt_ext(list->sent[i].packet);
		uint32_t syndrome;

		if (list->sent[i].packet->bytes[0] != CAIRN_OPCODE_RC_ACKNOWLEDGE)
			continue;
		syndrome = (uint32_t)cairn_pkt_get(ext, CAIRN_AETH_SYNDROME);
		if (syndrome >> 5 != CAIRN_AETH_CLASS_ACK) {
			qp->failed |= syndrome >> 5 == CAIRN_AETH_CLASS_NAK &&
				      (syndrome & 31) != CAIRN_AETH_NAK_SEQ;
			return true;
		}
	}
	return false;
}

/* The NIC hears what has become of its requests. */
static void answered(struct capt_qp *qp, const struct capture_frame *f)
{
	bool ack = f->pkt.syndrome < 0 || f->pkt.syndrome >> 5 == CAIRN_AETH_CLASS_ACK;
	uint32_t una = model_psn_add(f->pkt.psn, ack);

	qp->not_ready = !ack && f->pkt.syndrome >> 5 == CAIRN_AETH_CLASS_RNR;
	if (model_psn_diff(una, qp->una) > 0)
		qp->una = una;
}

static void arrives(struct capt *c, const struct capture_frame *f)
{
	struct capt_qp *qp = capt_qp_of(c, f);
	bool request = qp && qp->rtl && !capt_is_response(f);
	unsigned int before = request ? qp->out[1].n : 0;

	if (request) {
		qp->asked = f->pkt.psn;
		capt_before(qp, f);
	}
	if (qp && capt_is_response(f))
		answered(qp, f);
	capt_feed(c, f);
	if (request && !refused(qp, before))
		capt_executed(qp, f);
	capt_poll(c);
}

static void play(struct capt *c)
{
	uint64_t last = c->n_frames ? c->frames[0].ns : 0;
	bool pause = false;

	for (unsigned int i = 0; i < c->n_frames; i++) {
		const struct capture_frame *f = &c->frames[i];
		struct capt_qp *qp = capt_qp_of(c, f);

		pause |= f->ns - last >= CAPT_PAUSE_NS;
		last = f->ns;
		if (!capt_is_out(c, f)) {
			arrives(c, f);
		} else if (f->good) {
			capt_expect(qp, f, pause || qp->not_ready);
			pause = false;
		}
	}
}

static bool done(void *arg)
{
	struct capt *c = arg;

	return c->trouble[0] || cairn_cq_next(c->r->nic[0].cq->cq);
}

static void finish(struct capt *c)
{
	capt_poll(c);
	while (!capt_all_done(c)) {
		if (sim_run_until(c->r->sim, done, c, 1000000000) || c->trouble[0])
			capt_fail(c, NULL, "%s",
				  c->trouble[0] ? c->trouble : "completions are missing");
		capt_poll(c);
	}
	capt_settle(c);
	capt_poll(c);
	capt_nothing_else(c);
}

static struct capt *load(const struct side *side)
{
	struct capt *c = calloc(1, sizeof(*c));
	uint64_t first;

	assert_non_null(c);
	snprintf(c->name, sizeof(c->name), "%s", strrchr(side->path, '/') + 1);
	*strstr(c->name, ".pcap") = 0;
	c->scene = capture_scene(c->name);
	c->client = side->client;
	c->session = &session;
	c->frames = frames;
	c->n_frames = capture_read(side->path, frames);
	assert_true(c->n_frames > 0);
	first = cairn_pkt_get(frames[0].raw, CAIRN_ETH_SRC);
	c->mac = c->client ? first : cairn_pkt_get(frames[0].raw, CAIRN_ETH_DST);
	c->peer_mac = c->client ? cairn_pkt_get(frames[0].raw, CAIRN_ETH_DST) : first;
	c->lossy = strstr(c->name, c->client ? "client_tx" : "server_tx");
	c->reordered = c->lossy && !strncmp(c->name, "reorder", 7);
	return c;
}

/* SEND with invalidate, in a device that has no keys to invalidate. */
static bool needs_windows(const struct capt *c)
{
	if (c->r->nic[0].caps.features & CAIRN_REG_FEATURES_MW)
		return false;
	for (unsigned int i = 0; i < c->n_frames; i++)
		if (c->frames[i].pkt.flags & CAIRN_OPF_INV)
			return true;
	return false;
}

static void replay(void **state)
{
	struct capt *c = load(*state);

	if (!session.r)
		capt_begin(&session);
	c->r = session.r;
	if (needs_windows(c)) {
		free(c);
		skip();
	}
	session.playing = c;
	capt_learn(c);
	capt_open(c);
	for (unsigned int i = 0; i < c->qps; i++) {
		if (c->qp[i]->transport == CAIRN_TRANSPORT_RC && c->qp[i]->sends)
			capt_no_credits(c->qp[i]);
		if (c->qp[i]->rtl)
			capt_post(c->qp[i]);
	}
	capt_settle(c);
	play(c);
	finish(c);
	print_message("# %s as %s: %u packets fed, %u compared, %u messages received, %u exceptions",
		      c->name, c->client ? "client" : "server", c->fed, c->compared, c->received,
		      c->exceptions);
	print_message(c->lossy ? ", %u lost on the wire\n" : "\n", c->skipped);
	capt_close(c);
	session.playing = NULL;
	free(c);
}

/* A test that did not get to its end: with another NIC for the next. */
static int after(void **state)
{
	if (!session.playing)
		return 0;
	failed = true;
	memset(&session, 0, offsetof(struct capt_session, pcap));
	return rdma_teardown(state);
}

static int after_all(void **state)
{
	if (session.r)
		rdma_end(session.r);
	rdma_group_teardown(state);
	if (!failed && session.pcap == pcap)
		unlink(pcap);
	return 0;
}

static bool client_sends_more(const char *path)
{
	unsigned int n = capture_read(path, frames), by_client = 0;

	for (unsigned int i = 0; i < n; i++)
		by_client += !memcmp(frames[i].packet.src, frames[0].packet.src, 16);
	return 2 * by_client > n;
}

/*
 * What went wrong on the wire or was refused, both sides ("faults"); what went well, the side that
 * sends more, because each test costs five commands ("ok"); everything ("all").
 */
static bool wanted(const char *path, bool client)
{
	const char *name = strrchr(path, '/') + 1;
	static const char *const faults[] = { "loss_", "dup_", "reorder_", "corrupt_", "err_" };
	const char *program = program_invocation_short_name;
	bool fault = false;

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		fault |= !strncmp(name, faults[i], strlen(faults[i]));
	if (strstr(program, "_all"))
		return true;
	if (strstr(program, "_ok"))
		return !fault && client == client_sends_more(path);
	return fault;
}

static struct CMUnitTest test_of(struct side *side, const char *path, bool client)
{
	side->client = client;
	snprintf(side->path, sizeof(side->path), "%s", path);
	snprintf(side->name, sizeof(side->name), "%.*s %s",
		 (int)(strstr(path, ".pcap") - strrchr(path, '/') - 1), strrchr(path, '/') + 1,
		 client ? "client" : "server");
	return (struct CMUnitTest){ side->name, replay, NULL, after, side };
}

static int run(const glob_t *files)
{
	struct CMUnitTest *tests = calloc(2 * files->gl_pathc, sizeof(*tests));
	struct side *sides = calloc(2 * files->gl_pathc, sizeof(*sides));
	size_t n = 0;
	int status;

	frames = calloc(CAPTURE_MAX, sizeof(*frames));
	for (size_t i = 0; i < 2 * files->gl_pathc; i++)
		if (wanted(files->gl_pathv[i / 2], i % 2 == 0)) {
			tests[n] = test_of(&sides[n], files->gl_pathv[i / 2], i % 2 == 0);
			n++;
		}
	snprintf(pcap, sizeof(pcap), "build/integration/captures-%d.pcapng", (int)getpid());
	session.pcap = getenv("PCAP") ? getenv("PCAP") : pcap;
	cmocka_set_test_filter(getenv("ONLY"));
	status = _cmocka_run_group_tests("captures", tests, n, NULL, after_all);
	free(tests);
	free(sides);
	free(frames);
	return status;
}

int main(void)
{
	const char *dir = getenv("CAPTURES");
	char pattern[200];
	glob_t files;
	int status;

	snprintf(pattern, sizeof(pattern), "%s/*.pcap", dir && *dir ? dir : "tests/fixtures");
	if (glob(pattern, 0, NULL, &files))
		return 1;
	status = run(&files);
	globfree(&files);
	return status;
}
