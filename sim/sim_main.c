// SPDX-License-Identifier: Apache-2.0
/*
 * The main loop of `cairn sim`: sockets, clock, statistics pages.
 *
 * While something is computed, descriptors are looked at every SERVICE_CYCLES.  While all is idle
 * the loop sleeps in ppoll() until a descriptor is ready or wall time has reached the next
 * deadline; with no client and no deadline device time stands still.  While a message to a client
 * is unanswered no clock moves, as long as there is patience (sim_patience.h); then only that NIC's
 * stands.
 */
#include "sim_main.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devtime.h"
#include "sim_clock.h"
#include "sim_patience.h"
#include "sim_pcie.h"
#include "sim_rundir.h"
#include "sim_stat.h"
#include "sim_time.h"
#include "sim_vfu.h"

/* A look at the sockets costs a microsecond or two, a cycle of two NICs the same or more. */
#define SERVICE_CYCLES	16
#define MAX_FDS		(SIM_MAX_NICS * SIM_VFU_MAX_FDS + 1)

struct server {
	const struct sim_serve_cfg *cfg;
	struct sim *sim;
	struct sim_rundir *dir;
	struct sim_vfu *vfu[SIM_MAX_NICS];
	struct sim_stat *stat[SIM_MAX_NICS];
	struct sim_clock clock;
	struct sim_time *time;
	struct sim_patience patience[SIM_MAX_NICS];
	unsigned int n;
	sigset_t signals;		/* mask while sleeping */
	int failed;			/* -errno: a file cannot be written, and why */
	char why[SIM_ERR_MAX];
	struct pollfd fds[MAX_FDS];
};

static volatile sig_atomic_t stop_signal;

static void on_signal(int signal)
{
	stop_signal = signal;
}

static int complain(const char *text)
{
	fprintf(stderr, "cairn sim: %s\n", text);
	return 1;
}

/* ---- descriptors ---- */

static bool clients(const struct server *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (sim_vfu_busy(s->vfu[i]))
			return true;
	return false;
}

/* Sleep at most `ns` (SIM_NEVER: without limit) until a descriptor is ready, then serve all. */
static void serve(struct server *s, uint64_t ns)
{
	unsigned int n = 0;
	struct timespec limit;
	bool runs;

	s->fds[n++] = sim_wire_pollfd(sim_wire(s->sim));
	for (unsigned int i = 0; i < s->n; i++) {
		int ms = sim_vfu_timeout(s->vfu[i]);

		n += sim_vfu_pollfds(s->vfu[i], s->fds + n, MAX_FDS - n);
		if (ms >= 0 && (uint64_t)ms * 1000000 < ns)
			ns = (uint64_t)ms * 1000000;
	}
	limit.tv_sec = (time_t)(ns / 1000000000ULL);
	limit.tv_nsec = (long)(ns % 1000000000ULL);
	/* Device time goes on in the sleep, and catches up before anything that woke us is seen. */
	runs = ns && sim_idle(s->sim) && clients(s);
	if (runs)
		sim_time_runs(s->time, s->clock.device - s->clock.wall, sim_next(s->sim));
	if (ppoll(s->fds, n, ns == SIM_NEVER ? NULL : &limit, &s->signals) < 0 && errno != EINTR)
		stop_signal = SIGABRT;
	if (runs)
		sim_jump(s->sim, sim_clock_allowed(&s->clock, devtime_wall(), sim_now(s->sim),
						   true));
	sim_time_stands(s->time);
	if (s->fds[0].fd >= 0 && s->fds[0].revents)
		sim_wire_receive(sim_wire(s->sim), sim_now(s->sim));
	for (unsigned int i = 0; i < s->n; i++) {
		sim_pcie_time(sim_nic_pcie(sim_nic(s->sim, i)), sim_now(s->sim));
		sim_vfu_service(s->vfu[i]);
	}
}

static uint64_t statistics(struct server *s, uint64_t wall)
{
	uint64_t due = SIM_NEVER;

	for (unsigned int i = 0; i < s->n; i++) {
		bool usable = sim_vfu_busy(s->vfu[i]) &&
			      !sim_pcie_in_flr(sim_nic_pcie(sim_nic(s->sim, i)));
		uint64_t next;

		sim_stat_update(s->stat[i], wall, usable);
		next = sim_stat_due(s->stat[i]);
		if (next < due)
			due = next;
	}
	return due;
}

/* ---- the loop ---- */

static bool owes_answer(const struct server *s, unsigned int i)
{
	return sim_pcie_stalled(sim_nic_pcie(sim_nic(s->sim, i))) && sim_vfu_listens(s->vfu[i]);
}

/* Is there a NIC for which all wait? */
static bool stalled(const struct server *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (!sim_nic_held(sim_nic(s->sim, i)) && owes_answer(s, i))
			return true;
	return false;
}

static bool others(const struct server *s, unsigned int but)
{
	for (unsigned int i = 0; i < s->n; i++)
		if (i != but && sim_vfu_busy(s->vfu[i]))
			return true;
	return false;
}

/* The client all wait for, and the one held alone.  For how long at most, in ns; 0: none. */
static uint64_t wait_limit(struct server *s, uint64_t wall)
{
	uint64_t limit = 0;

	for (unsigned int i = 0; i < s->n; i++) {
		bool owes = owes_answer(s, i), hinders = owes && others(s, i);
		uint64_t left = sim_patience(&s->patience[i], wall, hinders);

		sim_nic_hold(sim_nic(s->sim, i), owes && !left);
		if (owes && left && (!limit || left < limit))
			limit = left;
	}
	return limit;
}

/* All is idle: sleep until something comes, at most until the next event is due. */
static void idle(struct server *s, uint64_t stat_due)
{
	uint64_t wall = devtime_wall(), now = sim_now(s->sim), next = sim_next(s->sim);
	uint64_t allowed = sim_clock_allowed(&s->clock, wall, now, true);
	uint64_t sleep = SIM_NEVER;
	bool stands;

	if (next != SIM_NEVER) {
		if (next <= allowed + SIM_CLOCK_AHEAD) {
			/* the step crosses a rest shorter than a clock period */
			sim_jump(s->sim, next);
			sim_step(s->sim);
			serve(s, 0);
			return;
		}
		sleep = next - allowed;
	}
	if (stat_due != SIM_NEVER) {
		uint64_t wait = stat_due > wall ? stat_due - wall : 0;

		sleep = wait < sleep ? wait : sleep;
	}
	stands = next == SIM_NEVER && !clients(s);
	serve(s, sleep);
	/* A clock that stood still goes on from here. */
	if (stands)
		s->clock = (struct sim_clock){ devtime_wall(), sim_now(s->sim) };
}

static void run(struct server *s)
{
	bool was_idle = false;

	while (!stop_signal && !(s->failed = sim_files_failed(s->sim, s->why))) {
		uint64_t wall = devtime_wall(), stat_due = statistics(s, wall);
		uint64_t limit = wait_limit(s, wall);

		if (limit) {
			serve(s, limit);
			s->clock = (struct sim_clock){ devtime_wall(), sim_now(s->sim) };
			continue;
		}
		if (!s->cfg->sim.no_jump && sim_idle(s->sim)) {
			if (!was_idle) {
				sim_clock_allowed(&s->clock, wall, sim_now(s->sim), false);
				sim_wire_flush(sim_wire(s->sim));
			}
			was_idle = true;
			idle(s, stat_due);
			continue;
		}
		was_idle = false;
		for (unsigned int i = 0; i < SERVICE_CYCLES && !stalled(s); i++) {
			if (!s->cfg->sim.no_jump && sim_idle(s->sim))
				break;
			sim_step(s->sim);
		}
		serve(s, 0);
	}
}

/* ---- setting up ---- */

static void catch_signals(struct server *s)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t block;

	sigemptyset(&block);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		sigaddset(&block, signals[i]);
		sigaction(signals[i], &action, NULL);
	}
	/* Only ppoll() lets them in, so that none is missed before it. */
	sigprocmask(SIG_BLOCK, &block, &s->signals);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigdelset(&s->signals, signals[i]);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);	/* an error of write(), as a full disk is */
}

static int describe(struct server *s, unsigned int i)
{
	const struct sim_cfg *cfg = sim_config(s->sim);
	struct sim_nic_facts facts = {
		.index = i, .host = i / s->cfg->functions, .function = i % s->cfg->functions,
		.mac = sim_nic_mac(sim_nic(s->sim, i)), .data_w = cfg->data_w,
		.gbps = (cfg->wire.mbps + 999) / 1000, .eth_mtu = cfg->eth_mtu,
	};

	sim_facts_gids(&facts, s->cfg->address[i]);
	return sim_rundir_describe(s->dir, &facts);
}

static void last_look(void *arg, void (*done)(void *done_arg), void *done_arg)
{
	sim_stat_last(arg, done, done_arg);
}

static int start_nic(struct server *s, unsigned int i)
{
	struct sim_nic *nic = sim_nic(s->sim, i);
	char name[16], socket[SIM_RUNDIR_PATH], shown[SIM_RUNDIR_PATH], page[SIM_RUNDIR_PATH];
	char time[SIM_RUNDIR_PATH];
	char text[SIM_ERR_MAX];
	struct sim_vfu_cfg cfg = {
		.name = name, .path = socket, .shown = shown,
		.pcie = sim_nic_pcie(nic), .mem = sim_nic_mem(nic),
		.messages = s->cfg->messages, .ask_all = s->cfg->ask_all,
		.verbose = s->cfg->verbose,
	};
	int ret;

	snprintf(name, sizeof(name), "nic%u", i);
	if (!sim_rundir_file(s->cfg->rundir, i, "sock", shown) ||
	    !sim_rundir_at(s->dir, i, "sock", socket) || !sim_rundir_at(s->dir, i, "stat", page) ||
	    !sim_rundir_at(s->dir, i, "time", time))
		return complain("run directory: path too long");
	/* The description first: a process that sees the socket finds it. */
	ret = describe(s, i);
	if (!ret)
		ret = sim_time_announce(s->time, time);
	s->stat[i] = ret ? NULL : sim_stat_new(nic, page);
	if (!s->stat[i]) {
		snprintf(text, sizeof(text), "cannot write to run directory %s: %s",
			 s->cfg->rundir, strerror(ret ? -ret : errno));
		return complain(text);
	}
	cfg.before_reset = last_look;
	cfg.before_arg = s->stat[i];
	s->vfu[i] = sim_vfu_new(&cfg);
	if (!s->vfu[i]) {
		snprintf(text, sizeof(text), "cannot listen on %s: %s", shown, strerror(errno));
		return complain(text);
	}
	s->n = i + 1;
	return 0;
}

static void console(void *arg, unsigned int nic, const char *line)
{
	(void)arg;
	fprintf(stderr, "nic%u: ", nic);
	/* The image says what it likes: text, and nothing that a terminal would obey. */
	for (; *line; line++)
		fputc(*line >= ' ' && *line < 0x7f ? *line : '?', stderr);
	fputc('\n', stderr);
}

static int start(struct server *s)
{
	char err[SIM_ERR_MAX];
	struct sim_cfg cfg = s->cfg->sim;

	if (s->cfg->verbose)
		cfg.console = console;
	s->dir = sim_rundir_open(s->cfg->rundir, err);
	if (!s->dir)
		return complain(err);
	s->sim = sim_new(&cfg, err);
	if (!s->sim)
		return complain(err);
	s->time = sim_time_new();
	if (!s->time) {
		snprintf(err, sizeof(err), "no page for device time: %s", strerror(errno));
		return complain(err);
	}
	sim_show_time(s->sim, sim_time_word(s->time));
	for (unsigned int i = 0; i < sim_nics(s->sim); i++)
		if (start_nic(s, i))
			return 1;
	return 0;
}

/* Say what went wrong in the device: assertions of the model and rules of PCIe that it broke. */
static int verdict(struct server *s)
{
	unsigned int errors = sim_errors(s->sim);
	char dir[SIM_RUNDIR_PATH + 16];

	if (!errors)
		return 0;
	snprintf(dir, sizeof(dir), "%s/failure", s->cfg->rundir);
	fprintf(stderr, "cairn sim: %u errors in the device (messages above), seed %llu", errors,
		(unsigned long long)s->cfg->sim.seed);
	if (!sim_bundle(s->sim, dir, NULL))
		fprintf(stderr, "; the last TLPs are in %s", dir);
	fputc('\n', stderr);
	return 1;
}

static void finish(struct server *s)
{
	for (unsigned int i = 0; i < SIM_MAX_NICS; i++) {
		sim_vfu_free(s->vfu[i]);
		sim_stat_free(s->stat[i]);
	}
	sim_free(s->sim);
	sim_time_free(s->time);
	sim_rundir_close(s->dir);
}

int sim_serve(const struct sim_serve_cfg *cfg)
{
	struct server *s = calloc(1, sizeof(*s));
	char why[SIM_ERR_MAX];
	int status, failed;

	if (!s)
		return complain("out of memory");
	s->cfg = cfg;
	catch_signals(s);
	status = start(s);
	if (!status) {
		s->clock = (struct sim_clock){ devtime_wall(), sim_now(s->sim) };
		puts("ready");
		if (fflush(stdout))
			status = complain("standard output cannot be written");
		else
			run(s);
		status |= verdict(s);
		/* At once when it happened, or with the last bytes now; the first is said. */
		failed = sim_close_files(s->sim, why);
		if (s->failed || failed)
			status = complain(s->failed ? s->why : why);
	}
	finish(s);
	free(s);
	return status;
}
