// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn sim` as programs meet it, with the stand-in core: the driver's vfio-user bus on its
 * sockets, device time against wall time, no work while idle, clients that die, statistics,
 * captures.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "bus.h"
#include "cairn_hw.h"
#include "devtime.h"
#include "sealed.h"
#include "sim_pcap.h"
#include "sim_stat.h"
#include "standin.h"
#include "bus/vfu_proto.h"

#define RUNDIR		"build/integration/run"
#define PCAP		"build/integration/socket.pcap"
#define TOOL		"build/bin/cairn"
#define MEM_BYTES	(1 << 18)
#define IOVA		0x10000000ULL
#define MS		1000000ULL

struct card {
	struct cairn_bus *bus;
	uint8_t *mem;
	int memfd, irq[4];
};

static pid_t sim_pid;

static uint64_t wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

/* Processor time the simulator has used, in ms. */
static unsigned long sim_cpu_ms(void)
{
	char path[64];
	unsigned long user = 0, system = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)sim_pid);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%*d %*s %*c %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %lu %lu",
				&user, &system), 2);
	fclose(f);
	return (user + system) * 1000 / (unsigned long)sysconf(_SC_CLK_TCK);
}

static void start_sim(const char *option, const char *value)
{
	int fds[2];
	char line[16] = "";

	assert_int_equal(pipe(fds), 0);
	sim_pid = fork();
	if (!sim_pid) {
		dup2(fds[1], 1);
		close(fds[0]);
		close(fds[1]);
		setenv("CAIRN_MODEL_DIR", "build/lib/standin", 1);
		execl(TOOL, "cairn", "sim", "-d", RUNDIR, option, value, NULL);
		_exit(127);
	}
	close(fds[1]);
	assert_int_equal(read(fds[0], line, sizeof(line)), 6);
	assert_string_equal(line, "ready\n");
	close(fds[0]);
}

static void stop_sim(int signal, int expect)
{
	int status;

	kill(sim_pid, signal);
	assert_int_equal(waitpid(sim_pid, &status, 0), sim_pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), expect);
	assert_int_equal(access(RUNDIR "/nic0.sock", F_OK), -1);
	assert_int_equal(access(RUNDIR "/nic0.json", F_OK), -1);
	assert_int_equal(access(RUNDIR "/nic1.stat", F_OK), -1);
	assert_int_equal(access(RUNDIR "/lock", F_OK), -1);
}

static void open_card(struct card *card, unsigned int nic)
{
	struct cairn_bus_opts opts = { 0 };
	struct cairn_dma_map map;
	uint16_t command = 6;
	char path[64];

	snprintf(path, sizeof(path), RUNDIR "/nic%u.sock", nic);
	assert_int_equal(cairn_bus_vfu.open(path, &opts, &card->bus), 0);
	card->memfd = memfd_create("test", MFD_CLOEXEC);
	assert_int_equal(ftruncate(card->memfd, MEM_BYTES), 0);
	card->mem = mmap(NULL, MEM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, card->memfd, 0);
	map = (struct cairn_dma_map){
		.iova = IOVA, .va = card->mem, .len = MEM_BYTES, .fd = card->memfd,
		.perm = CAIRN_DMA_READ | CAIRN_DMA_WRITE,
	};
	assert_int_equal(card->bus->ops->dma_map(card->bus, &map), 0);
	assert_int_equal(card->bus->ops->cfg_write(card->bus, 4, &command, 2), 0);
	for (int v = 0; v < 4; v++)
		card->irq[v] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	assert_int_equal(card->bus->ops->set_irqs(card->bus, card->irq, 4), 0);
}

static void close_card(struct card *card)
{
	card->bus->ops->close(card->bus);
	munmap(card->mem, MEM_BYTES);
	close(card->memfd);
	for (int v = 0; v < 4; v++)
		close(card->irq[v]);
}

static void write_reg(struct card *card, uint32_t offset, uint64_t value)
{
	assert_int_equal(card->bus->ops->write64(card->bus, offset, value), 0);
}

static uint64_t device_time(struct card *card)
{
	uint64_t value;

	assert_int_equal(card->bus->ops->read64(card->bus, CAIRN_REG_TIME, &value), 0);
	return value;
}

/* Wait for an interrupt; returns the wall time when it was there. */
static uint64_t wait_irq(struct card *card, unsigned int vector, int ms)
{
	struct pollfd fd = { .fd = card->irq[vector], .events = POLLIN };
	uint64_t count;

	assert_int_equal(poll(&fd, 1, ms), 1);
	assert_int_equal(read(card->irq[vector], &count, sizeof(count)), sizeof(count));
	return wall();
}

static void ring(struct card *card, const struct standin_desc *desc)
{
	memcpy(card->mem, desc, sizeof(*desc));
	card->bus->ops->doorbell(card->bus, CAIRN_DB_SQ, IOVA);
}

static void copy(struct card *card)
{
	struct standin_desc desc = { .src = IOVA + 0x10000, .dst = IOVA + 0x20000, .len = 8000 };

	for (int i = 0; i < 8000; i++)
		card->mem[0x10000 + i] = (uint8_t)(i * 7);
	ring(card, &desc);
	wait_irq(card, 0, 60000);
	assert_memory_equal(card->mem + 0x20000, card->mem + 0x10000, 8000);
}

static uint64_t stat_of(unsigned int nic, const char *name)
{
	struct sim_stat_page *page;
	char path[64];
	uint64_t value = UINT64_MAX;

	snprintf(path, sizeof(path), RUNDIR "/nic%u.stat", nic);
	assert_int_equal(sim_stat_read(path, &page), 0);
	for (uint32_t i = 0; i < page->n; i++)
		if (!strcmp(page->entry[i].name, name))
			value = page->entry[i].value;
	free(page);
	return value;
}

/* The page follows within some 100 ms. */
static void wait_stat(unsigned int nic, const char *name, uint64_t want)
{
	for (int i = 0; i < 100 && stat_of(nic, name) != want; i++)
		usleep(50000);
	assert_int_equal(stat_of(nic, name), want);
}

/* ---- tests ---- */

static void dma_and_interrupts(void **state)
{
	struct card a, b;

	(void)state;
	start_sim("--seed", "7");
	open_card(&a, 0);
	open_card(&b, 1);
	copy(&a);
	copy(&b);
	copy(&a);
	close_card(&a);
	close_card(&b);
	stop_sim(SIGTERM, 0);
}

static void frames_and_statistics(void **state)
{
	struct card a, b;
	struct standin_desc desc = { .src = IOVA + 0x1000, .len = 500, .op = STANDIN_SEND };
	const struct standin_slot *slot;
	struct sim_pcap_reader *reader;
	const uint8_t *frame;
	uint32_t len, wire_len;
	uint64_t ns;

	(void)state;
	start_sim("--pcap", PCAP);
	open_card(&a, 0);
	open_card(&b, 1);
	write_reg(&b, STANDIN_RX_BASE, IOVA + 0x4000);
	memset(a.mem + 0x1000, 0x42, 500);
	for (uint32_t i = 0; i < 3; i++) {
		ring(&a, &desc);
		wait_irq(&b, STANDIN_IRQ_RX, 60000);
		slot = (void *)(b.mem + 0x4000 + i * STANDIN_SLOT_BYTES);
		assert_int_equal(slot->len, 500);
		assert_memory_equal(slot->frame, a.mem + 0x1000, 500);
	}
	/* the device's own counters, and those of the model */
	wait_stat(0, "tx_packets", 3);
	wait_stat(1, "rx_packets", 3);
	wait_stat(1, "rx_bytes", 1500);
	assert_int_equal(stat_of(0, "wire_tx_frames"), 3);
	assert_int_equal(stat_of(0, "sim_errors"), 0);
	assert_true(stat_of(0, "sim_time_ns") > 1000);
	/* and then it is quiet: the pages do not keep the device awake */
	usleep(300000);
	assert_int_equal(stat_of(0, "tx_packets"), 3);
	close_card(&a);
	close_card(&b);
	stop_sim(SIGINT, 0);
	reader = sim_pcap_open(PCAP);
	assert_non_null(reader);
	for (int i = 0; i < 3; i++)
		assert_int_equal(sim_pcap_next(reader, &ns, &frame, &len, &wire_len), 1);
	assert_int_equal(len, 500);
	assert_int_equal(sim_pcap_next(reader, &ns, &frame, &len, &wire_len), 0);
	sim_pcap_reader_close(reader);
	unlink(PCAP);
}

/* A device that has no counters of QPs is not asked for them, whatever it does. */
static void no_counters_of_qps(void **state)
{
	struct card a;
	struct sim_stat_page *page;
	uint64_t before;

	(void)state;
	start_sim("--seed", "7");
	open_card(&a, 0);
	copy(&a);
	usleep(300000);
	before = stat_of(0, "pcie_bar_wr_tlps");
	for (int i = 0; i < 3; i++) {
		copy(&a);
		usleep(250000);
	}
	/* the doorbells alone: no QP was selected */
	wait_stat(0, "pcie_bar_wr_tlps", before + 3);
	assert_int_equal(sim_stat_read(RUNDIR "/nic0.stat", &page), 0);
	assert_int_equal(page->qps, 0);
	assert_int_equal(page->more_qps, 0);
	free(page);
	close_card(&a);
	stop_sim(SIGTERM, 0);
}

/* A device timer takes as long as the wall's, and waiting for it costs nothing. */
static void device_time_is_wall_time(void **state)
{
	struct card a;
	uint64_t begin, end, before, after;
	unsigned long cpu;

	(void)state;
	start_sim("--seed", "7");
	open_card(&a, 0);
	copy(&a);
	usleep(300000);
	cpu = sim_cpu_ms();
	begin = wall();
	before = device_time(&a);
	write_reg(&a, STANDIN_TIMER, before + 400 * MS);
	end = wait_irq(&a, STANDIN_IRQ_TIMER, 20000);
	/* not before; afterwards as the machine's load has it */
	assert_true(end - begin >= 399 * MS);
	assert_in_range(end - begin, 399 * MS, 5000 * MS);
	after = device_time(&a);
	assert_in_range(after - before, 400 * MS, end - begin + 100 * MS);
	/* with a client that does nothing, time goes on as well */
	before = device_time(&a);
	begin = wall();
	usleep(200000);
	after = device_time(&a);
	assert_in_range(after - before, 150 * MS, wall() - begin + 1 * MS);
	/* 400 ms at 8 ns would be 50 million cycles; a statistics read is 30000 */
	assert_in_range(sim_cpu_ms() - cpu, 0, 300);
	/* a periodic timer: many deadlines, never early */
	begin = wall();
	before = device_time(&a);
	write_reg(&a, STANDIN_TIMER_PERIOD, 2000000);
	write_reg(&a, STANDIN_TIMER, before + 2 * MS);
	for (int i = 0; i < 50;) {
		uint64_t count = 0;
		struct pollfd fd = { .fd = a.irq[STANDIN_IRQ_TIMER], .events = POLLIN };

		assert_int_equal(poll(&fd, 1, 20000), 1);
		assert_int_equal(read(fd.fd, &count, sizeof(count)), sizeof(count));
		i += (int)count;
		assert_true(wall() - begin >= (uint64_t)i * 2 * MS - MS / 2);
	}
	close_card(&a);
	stop_sim(SIGTERM, 0);
}

static const struct devtime_page *map_time(void)
{
	char why[256];
	struct sealed_at at;
	int file = sealed_find(AT_FDCWD, RUNDIR "/nic1.time", DEVTIME_MAGIC, &at, why, sizeof(why));
	int fd = sealed_open(&at, O_RDONLY, why, sizeof(why));
	void *map = mmap(NULL, sizeof(struct devtime_page), PROT_READ, MAP_SHARED, fd, 0);

	assert_true(file >= 0 && fd >= 0 && map != MAP_FAILED);
	close(file);
	close(fd);
	return map;
}

/* Never ahead of the register that is read behind it, nor behind one that was read before, be the
 * device idle or at work; it goes on with the wall, and stands when nobody is there. */
static void time_from_the_page(void **state)
{
	const struct devtime_page *page;
	uint64_t before, asked, after = 0;
	struct card a;

	(void)state;
	start_sim("--seed", "7");
	page = map_time();
	for (before = 0; before != devtime_now(page) || !before; usleep(50000))
		before = devtime_now(page); /* out of reset, then it stands */
	open_card(&a, 0);
	for (int i = 0; i < 300; i++) {
		if (i % 50 == 0)
			copy(&a);
		if (i % 3 == 0)
			usleep((unsigned int)i * 10);
		before = devtime_now(page);
		assert_true(before && before >= after);
		asked = device_time(&a);
		after = devtime_now(page);
		assert_true(asked >= before && after >= asked);
	}
	usleep(200000);
	assert_true(devtime_now(page) >= after + 100 * MS);
	close_card(&a);
	stop_sim(SIGTERM, 0);
	munmap((void *)page, sizeof(*page));
}

static void idle_burns_nothing(void **state)
{
	struct card a;
	unsigned long cpu;
	uint64_t time;

	(void)state;
	start_sim("--seed", "7");
	cpu = sim_cpu_ms();
	time = stat_of(0, "sim_time_ns");
	usleep(1000000);
	assert_in_range(sim_cpu_ms() - cpu, 0, 20);
	/* nobody there and nothing to come: the clock stands still, and is not moved on later */
	assert_int_equal(stat_of(0, "sim_time_ns"), time);
	open_card(&a, 0);
	assert_in_range(device_time(&a), time, time + 500 * MS);
	close_card(&a);
	stop_sim(SIGTERM, 0);
}

/* A client dies in the middle of its job: the next one finds a working device. */
static void clients_may_die(void **state)
{
	struct card a;

	(void)state;
	start_sim("--seed", "7");
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();

		if (!child) {
			struct standin_desc desc = { .src = IOVA,
						     .dst = IOVA + 0x20000,
						     .len = 65536 };

			open_card(&a, 0);
			for (int n = 0; n < 8; n++)
				ring(&a, &desc);
			usleep(1000 * (unsigned int)i);
			raise(SIGKILL);
		}
		waitpid(child, NULL, 0);
		/* EBUSY while the reset of the last one goes on */
		for (int n = 0; n < 200; n++) {
			struct cairn_bus_opts opts = { 0 };
			struct cairn_bus *bus;

			if (!cairn_bus_vfu.open(RUNDIR "/nic0.sock", &opts, &bus)) {
				bus->ops->close(bus);
				break;
			}
			usleep(20000);
		}
	}
	usleep(200000);
	open_card(&a, 0);
	copy(&a);
	close_card(&a);
	stop_sim(SIGTERM, 0);
}

static void messages_only(void **state)
{
	struct card a;

	(void)state;
	start_sim("--messages", NULL);
	open_card(&a, 0);
	copy(&a);
	close_card(&a);
	stop_sim(SIGTERM, 0);
}

/* In a child: copy for ever, telling each time that it worked. */
static pid_t busy_client(int tell)
{
	pid_t child = fork();
	struct card a;

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	open_card(&a, 0);
	for (;;) {
		copy(&a);
		if (write(tell, "c", 1) != 1)
			_exit(1);
	}
}

/*
 * A client is stopped while it owes answers: its NIC waits for it, the others go on at once, long
 * before it would be dropped.  When it goes on, it has lost nothing.
 */
static void stopped_client(void **state)
{
	int tell[2], status;
	pid_t child;
	struct card b;
	char byte;

	(void)state;
	start_sim("--messages", NULL);
	assert_int_equal(pipe(tell), 0);
	child = busy_client(tell[1]);
	assert_int_equal(read(tell[0], &byte, 1), 1);
	open_card(&b, 1);
	for (int i = 0; i < 3; i++) {
		usleep(1000 * (unsigned int)i);
		kill(child, SIGSTOP);
		assert_int_equal(waitpid(child, &status, WUNTRACED), child);
		assert_true(WIFSTOPPED(status));
		fcntl(tell[0], F_SETFL, O_NONBLOCK);
		while (read(tell[0], &byte, 1) == 1)
			;
		copy(&b);
		copy(&b);
		fcntl(tell[0], F_SETFL, 0);
		kill(child, SIGCONT);
		/* still served: two more, the first of which may have been done before */
		assert_int_equal(read(tell[0], &byte, 1), 1);
		assert_int_equal(read(tell[0], &byte, 1), 1);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(tell[0]);
	close(tell[1]);
	close_card(&b);
	stop_sim(SIGTERM, 0);
}

static int raw_client(unsigned int nic)
{
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(sa.sun_path, sizeof(sa.sun_path), RUNDIR "/nic%u.sock", nic);
	assert_int_equal(connect(fd, (struct sockaddr *)&sa, sizeof(sa)), 0);
	return fd;
}

/* Clients that say nothing, stop in the middle of a message, or ask and never read: NIC 1 works. */
static void silent_clients(void **state)
{
	static const struct {
		struct vfu_header h;
		char body[8];
	} hello = { { 1, VFU_VERSION, 16 + 8, 0, 0 }, "\0\0\0\0{}" };
	static const struct {
		struct vfu_header h;
		struct vfu_region_rw rw;
	} ask = { { 2, VFU_REGION_READ, 32, 0, 0 }, { 0, 7, 4096 } };
	struct card b;
	int fd;

	(void)state;
	start_sim("--seed", "7");
	open_card(&b, 1);
	fd = raw_client(0);
	copy(&b);
	assert_int_equal(write(fd, &hello, 11), 11);
	copy(&b);
	assert_int_equal(write(fd, (const char *)&hello + 11, 13), 13);
	/* until neither its socket nor the simulator takes more */
	for (int idle = 0; idle < 50;) {
		if (send(fd, &ask, sizeof(ask), MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof(ask)) {
			idle = 0;
			continue;
		}
		idle++;
		usleep(1000);
	}
	copy(&b);
	copy(&b);
	close(fd);
	close_card(&b);
	open_card(&b, 0);
	copy(&b);
	close_card(&b);
	stop_sim(SIGTERM, 0);
}

static int teardown(void **state)
{
	(void)state;
	/* of a test that failed in between */
	if (sim_pid > 0 && !kill(sim_pid, SIGKILL))
		waitpid(sim_pid, NULL, 0);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(dma_and_interrupts, teardown),
		cmocka_unit_test_teardown(frames_and_statistics, teardown),
		cmocka_unit_test_teardown(no_counters_of_qps, teardown),
		cmocka_unit_test_teardown(device_time_is_wall_time, teardown),
		cmocka_unit_test_teardown(time_from_the_page, teardown),
		cmocka_unit_test_teardown(idle_burns_nothing, teardown),
		cmocka_unit_test_teardown(clients_may_die, teardown),
		cmocka_unit_test_teardown(messages_only, teardown),
		cmocka_unit_test_teardown(stopped_client, teardown),
		cmocka_unit_test_teardown(silent_clients, teardown),
	};

	return cmocka_run_group_tests_name("socket", tests, NULL, NULL);
}
