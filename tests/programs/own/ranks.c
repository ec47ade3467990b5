// SPDX-License-Identifier: Apache-2.0
/*
 * An MPI program of any number of ranks, in rounds: a ring, messages of mixed sizes, crossfire of
 * all with all, collectives, one-sided access with fences and with locks, barriers.  Sizes are 1
 * byte to 1 MiB, eager and rendezvous; every byte is compared with a pattern of seed, round, step,
 * source and destination, and so are the bytes behind it.
 *
 *     ranks [-t SECONDS | -n ROUNDS] [-m BYTES] [-o STEP] [-s SEED] [-d]
 *
 * BYTES: the longest message (1 MiB), STEP: one kind of step alone, -d: rank 1 sends one wrong
 * byte. What is wrong is said with where it is, and ends the job by MPI_Abort.  At the end each
 * rank says how much it compared.
 */
#include <inttypes.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GUARD 64u /* bytes compared behind a message */
#define FILL 0xee
#define DEPTH 3 /* messages from one to another at a time */
#define LARGEST (1u << 20)
#define TICKETS 4  /* that each rank draws in a round */
#define RECORD 100 /* words that are changed under an exclusive lock */
#define SUMMED 300 /* words of an Accumulate */

/* What others reach of a rank without its doing, zero at first. */
struct shared {
	uint64_t ticket, chain, arrived;
	uint32_t half[2];
	uint64_t record[RECORD];
};

static struct {
	int rank, ranks;
	uint64_t seed, compared;
	unsigned round, step; /* step: number in the table of steps */
	size_t most;
	uint8_t *out, *in; /* DEPTH slots for each rank */
	MPI_Win win;	   /* of struct shared */
	struct shared *own;
	struct shared *expected; /* what is to be in everybody's */
	bool damage;
	double seconds;
	unsigned rounds;
	const char *only;
} job = { .seed = 1, .rounds = 1, .most = LARGEST };

static const char *step_name(void);

/* Around what goes inline, into one packet, eager, rendezvous. */
static const size_t sizes[] = { 1,    8,    64,	   220,	     1000,     1024,
				4096, 8192, 16384, 1u << 16, 1u << 18, LARGEST };
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* Of one message: the same for who sends it and who gets it. */
static uint64_t key(int from, int to, unsigned number)
{
	uint64_t who = (uint64_t)(unsigned)from << 32 | (unsigned)to;

	return mix(mix(mix(job.seed + job.round) ^ who) + job.step * 64 + number);
}

/* All sizes come up in SIZES rounds, the largest in the first; three in four are a little below. */
static size_t size_of(uint64_t message, unsigned number, size_t most)
{
	size_t size = sizes[(SIZES - 1 + job.round + job.step * 5 + number * 7) % SIZES];

	size -= mix(message) % 4;
	if (!size || size > LARGEST)
		size = 1;
	return size < most ? size : most;
}

static uint64_t word(uint64_t of, size_t i)
{
	return mix(of + i);
}

static void fill(uint8_t *at, size_t size, uint64_t of)
{
	for (size_t i = 0; i < size; i += 8) {
		uint64_t one = word(of, i / 8);

		memcpy(at + i, &one, size - i < 8 ? size - i : 8);
	}
}

/* Nothing of the pattern is there by chance. */
static uint8_t *clear(uint8_t *at, size_t size)
{
	memset(at, FILL, size + GUARD);
	return at;
}

static uint8_t *slot(uint8_t *area, int rank, int number)
{
	return area + ((size_t)rank * DEPTH + (size_t)number) * (job.most + GUARD);
}

static _Noreturn void wrong(const char *what, int from, int to, uint64_t at, uint64_t has,
			    uint64_t wanted)
{
	printf("MISMATCH: seed %" PRIu64 ", round %u, %s: %s from rank %d to rank %d, at %" PRIu64
	       ": %#" PRIx64 ", not %#" PRIx64 "\n",
	       job.seed, job.round, step_name(), what, from, to, at, has, wanted);
	fflush(stdout);
	MPI_Abort(MPI_COMM_WORLD, 3);
	abort();
}

static void same(const char *what, int from, int to, uint64_t at, uint64_t has, uint64_t wanted)
{
	if (has != wanted)
		wrong(what, from, to, at, has, wanted);
}

static void check(int from, int to, const uint8_t *at, size_t size, uint64_t of)
{
	for (size_t i = 0; i < size; i += 8) {
		uint64_t one = word(of, i / 8);
		size_t some = size - i < 8 ? size - i : 8;

		if (memcmp(at + i, &one, some))
			for (size_t j = 0; j < some; j++)
				same("a byte", from, to, i + j, at[i + j], (uint8_t)(one >> 8 * j));
	}
	for (size_t i = size; i < size + GUARD; i++)
		same("a byte behind the message", from, to, i, at[i], FILL);
	job.compared += size;
}

static void check_words(int from, const uint64_t *at, size_t count, const uint64_t *wanted)
{
	for (size_t i = 0; i < count; i++)
		same("a word", from, job.rank, i, at[i], wanted[i]);
	job.compared += count * 8;
}

/* To the next one and from the one before, at the same time. */
static void ring(void)
{
	int next = (job.rank + 1) % job.ranks, last = (job.rank + job.ranks - 1) % job.ranks;
	uint64_t to = key(job.rank, next, 0), from = key(last, job.rank, 0);
	size_t out = size_of(to, 0, job.most), in = size_of(from, 0, job.most);

	fill(job.out, out, to);
	job.out[out / 2] ^= job.damage && job.rank == 1;
	clear(job.in, in);
	MPI_Sendrecv(job.out, (int)out, MPI_BYTE, next, 1, job.in, (int)in, MPI_BYTE, last, 1,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	check(last, job.rank, job.in, in, from);
}

/* One after the other, of which the receiver learns the length when it comes. */
static void mixed(void)
{
	int away = job.ranks > 1 ? 1 + (int)(job.round % (unsigned)(job.ranks - 1)) : 0;
	int next = (job.rank + away) % job.ranks, last = (job.rank + job.ranks - away) % job.ranks;
	MPI_Request sent[DEPTH];

	for (int i = 0; i < DEPTH; i++) {
		uint64_t to = key(job.rank, next, (unsigned)i);
		size_t size = size_of(to, (unsigned)i, job.most);

		fill(slot(job.out, 0, i), size, to);
		(i == 1 ? MPI_Issend : MPI_Isend)(slot(job.out, 0, i), (int)size, MPI_BYTE, next, 2,
						  MPI_COMM_WORLD, &sent[i]);
	}
	for (int i = 0; i < DEPTH; i++) {
		uint64_t from = key(last, job.rank, (unsigned)i);
		MPI_Status status;
		int size;

		MPI_Probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
		MPI_Get_count(&status, MPI_BYTE, &size);
		same("a source", last, job.rank, 0, (uint64_t)status.MPI_SOURCE, (uint64_t)last);
		same("a length", last, job.rank, 0, (uint64_t)size,
		     size_of(from, (unsigned)i, job.most));
		MPI_Recv(clear(job.in, (size_t)size), size, MPI_BYTE, last, 2, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		check(last, job.rank, job.in, (size_t)size, from);
	}
	MPI_Waitall(DEPTH, sent, MPI_STATUSES_IGNORE);
}

/* DEPTH from each to each, itself too; every other rank receives only when all is on its way. */
static void crossfire(void)
{
	int count = job.ranks * DEPTH, late = (job.rank + (int)job.round) % 2, sent = 0;
	MPI_Request *requests = malloc(2 * (size_t)count * sizeof(*requests));

	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < count; i++) {
			int from = (pass == late ? count - 1 - i : i) / DEPTH, nr = i % DEPTH;
			bool receives = pass == late;
			uint64_t of = receives ? key(from, job.rank, (unsigned)nr)
					       : key(job.rank, from, (unsigned)nr);
			size_t size = size_of(of, (unsigned)nr, job.most / 4);
			uint8_t *at = slot(receives ? job.in : job.out, from, nr);

			if (receives)
				MPI_Irecv(clear(at, size), (int)size, MPI_BYTE, from, 10 + nr,
					  MPI_COMM_WORLD, &requests[sent++]);
			else {
				fill(at, size, of);
				MPI_Isend(at, (int)size, MPI_BYTE, from, 10 + nr, MPI_COMM_WORLD,
					  &requests[sent++]);
			}
		}
	}
	MPI_Waitall(sent, requests, MPI_STATUSES_IGNORE);
	free(requests);
	for (int i = 0; i < count; i++) {
		uint64_t of = key(i / DEPTH, job.rank, (unsigned)(i % DEPTH));

		check(i / DEPTH, job.rank, slot(job.in, i / DEPTH, i % DEPTH),
		      size_of(of, (unsigned)(i % DEPTH), job.most / 4), of);
	}
}

/* Sums of all ranks' words, as they are worked out here. */
static void sums(uint64_t *to, size_t count, unsigned number)
{
	memset(to, 0, count * sizeof(*to));
	for (int rank = 0; rank < job.ranks; rank++)
		for (size_t i = 0; i < count; i++)
			to[i] += word(key(rank, -1, number), i);
}

static void allreduce(void)
{
	size_t count = size_of(0, 0, job.most) / 8 + 1;
	uint64_t *words = malloc(3 * count * sizeof(*words));

	fill((uint8_t *)words, count * 8, key(job.rank, -1, 0));
	memset(words + count, FILL, count * 8);
	MPI_Allreduce(words, words + count, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	sums(words + 2 * count, count, 0);
	check_words(-1, words + count, count, words + 2 * count);
	free(words);
}

static void bcast(void)
{
	int root = (int)job.round % job.ranks;
	uint64_t of = key(root, -1, 0);
	size_t size = size_of(of, 0, job.most);

	clear(job.in, size);
	if (job.rank == root)
		fill(job.in, size, of);
	MPI_Bcast(job.in, (int)size, MPI_BYTE, root, MPI_COMM_WORLD);
	check(root, job.rank, job.in, size, of);
}

static void alltoall(void)
{
	size_t size = size_of(0, 0, job.most / 4);

	for (int rank = 0; rank < job.ranks; rank++)
		fill(job.out + (size_t)rank * size, size, key(job.rank, rank, 0));
	clear(job.in, size * (size_t)job.ranks);
	MPI_Alltoall(job.out, (int)size, MPI_BYTE, job.in, (int)size, MPI_BYTE, MPI_COMM_WORLD);
	for (int rank = job.ranks - 1; rank >= 0; rank--) {
		check(rank, job.rank, job.in + (size_t)rank * size, size, key(rank, job.rank, 0));
		clear(job.in + (size_t)rank * size, size); /* behind the one before it */
	}
}

/* Put, Accumulate and Get to and from all, itself too, in a window of this round. */
static void fence(void)
{
	uint64_t offered = key(job.rank, -1, 1), wanted[SUMMED], added[SUMMED], *sum;
	size_t size = size_of(0, 0, job.most / 2), place = size + GUARD;
	size_t ranks = (size_t)job.ranks, length = SUMMED * 8 + (ranks + 1) * place;
	uint8_t *memory = malloc(length), *areas = memory + SUMMED * 8;
	MPI_Win win;

	sum = memset(memory, 0, SUMMED * 8);
	memset(areas, FILL, ranks * place);
	fill(areas + ranks * place, size, offered);
	fill((uint8_t *)added, sizeof(added), key(job.rank, -1, 0));
	MPI_Win_create(memory, (MPI_Aint)length, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	for (int i = 0; i < job.ranks; i++) {
		int rank = (job.rank + i) % job.ranks;
		uint8_t *from = slot(job.out, rank, 0);

		fill(from, size, key(job.rank, rank, 2));
		MPI_Put(from, (int)size, MPI_BYTE, rank,
			(MPI_Aint)(SUMMED * 8 + (size_t)job.rank * place), (int)size, MPI_BYTE,
			win);
		MPI_Accumulate(added, SUMMED, MPI_UINT64_T, rank, 0, SUMMED, MPI_UINT64_T, MPI_SUM,
			       win);
	}
	MPI_Win_fence(0, win);
	sums(wanted, SUMMED, 0);
	check_words(-1, sum, SUMMED, wanted);
	for (int i = 0; i < job.ranks; i++) {
		check(i, job.rank, areas + (size_t)i * place, size, key(i, job.rank, 2));
		MPI_Get(clear(slot(job.in, i, 0), size), (int)size, MPI_BYTE, i,
			(MPI_Aint)(SUMMED * 8 + ranks * place), (int)size, MPI_BYTE, win);
	}
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	for (int i = 0; i < job.ranks; i++)
		check(i, job.rank, slot(job.in, i, 0), size, key(i, -1, 1));
	MPI_Win_free(&win);
	free(memory);
}

static int in_order(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/* Each number is drawn once. */
static void tickets(int at)
{
	uint64_t one = 1, drawn[TICKETS], *all;
	int count = job.ranks * TICKETS;

	MPI_Win_lock(MPI_LOCK_SHARED, at, 0, job.win);
	for (int i = 0; i < TICKETS; i++)
		MPI_Fetch_and_op(&one, &drawn[i], MPI_UINT64_T, at, offsetof(struct shared, ticket),
				 MPI_SUM, job.win);
	MPI_Win_unlock(at, job.win);
	all = malloc((size_t)count * sizeof(*all));
	MPI_Allgather(drawn, TICKETS, MPI_UINT64_T, all, TICKETS, MPI_UINT64_T, MPI_COMM_WORLD);
	qsort(all, (size_t)count, sizeof(*all), in_order);
	for (int i = 0; i < count; i++)
		same("a ticket", at, job.rank, (uint64_t)i, all[i], job.expected[at].ticket++);
	free(all);
}

/* Everyone adds to the same word, of 8 bytes or 4, if nobody else has changed it meanwhile. */
static void chain(int at)
{
	uint64_t old = 0, now, seen;
	uint32_t old_half = 0, now_half, seen_half;
	const MPI_Aint half = offsetof(struct shared, half) + 4;

	MPI_Win_lock(MPI_LOCK_SHARED, at, 0, job.win);
	for (bool done = false; !done; old = seen) {
		now = old + key(job.rank, at, 0);
		MPI_Compare_and_swap(&now, &old, &seen, MPI_UINT64_T, at,
				     offsetof(struct shared, chain), job.win);
		MPI_Win_flush(at, job.win);
		done = seen == old;
	}
	for (bool done = false; !done; old_half = seen_half) {
		now_half = old_half + (uint32_t)key(job.rank, at, 1);
		MPI_Compare_and_swap(&now_half, &old_half, &seen_half, MPI_UINT32_T, at, half,
				     job.win);
		MPI_Win_flush(at, job.win);
		done = seen_half == old_half;
	}
	MPI_Win_unlock(at, job.win);
	for (int rank = 0; rank < job.ranks; rank++) {
		job.expected[at].chain += key(rank, at, 0);
		job.expected[at].half[1] += (uint32_t)key(rank, at, 1);
	}
}

/* Many words at once, under a lock that one has at a time. */
static void record(int at)
{
	const MPI_Aint place = offsetof(struct shared, record);
	uint64_t words[RECORD];

	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, at, 0, job.win);
	MPI_Get(words, sizeof(words), MPI_BYTE, at, place, sizeof(words), MPI_BYTE, job.win);
	MPI_Win_flush(at, job.win);
	for (size_t i = 0; i < RECORD; i++)
		words[i] += word(key(job.rank, -1, 3), i);
	MPI_Put(words, sizeof(words), MPI_BYTE, at, place, sizeof(words), MPI_BYTE, job.win);
	MPI_Win_unlock(at, job.win);
	sums(words, RECORD, 3);
	for (size_t i = 0; i < RECORD; i++)
		job.expected[at].record[i] += words[i];
}

static void locks(void)
{
	int at = (int)job.round % job.ranks;
	struct shared seen, *wanted = &job.expected[at];

	tickets(at);
	chain(at);
	record(at);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, at, 0, job.win);
	MPI_Get(&seen, sizeof(seen), MPI_BYTE, at, 0, sizeof(seen), MPI_BYTE, job.win);
	MPI_Win_unlock(at, job.win);
	same("the tickets", at, job.rank, 0, seen.ticket, wanted->ticket);
	same("the chain", at, job.rank, 0, seen.chain, wanted->chain);
	same("the chain of 4 bytes", at, job.rank, 0, seen.half[1], wanted->half[1]);
	same("what is before it", at, job.rank, 0, seen.half[0], 0);
	check_words(at, seen.record, RECORD, wanted->record);
	MPI_Barrier(MPI_COMM_WORLD); /* before somebody draws again */
}

/* Who has left it finds that all have come. */
static void barrier(void)
{
	uint64_t one = 1, seen;

	for (int pass = 0; pass < 2; pass++) {
		MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, job.win);
		MPI_Fetch_and_op(&one, &seen, MPI_UINT64_T, 0, offsetof(struct shared, arrived),
				 pass ? MPI_NO_OP : MPI_SUM, job.win);
		MPI_Win_unlock(0, job.win);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	job.expected[0].arrived += (uint64_t)job.ranks;
	same("arrivals", 0, job.rank, 0, seen, job.expected[0].arrived);
}

static const struct {
	const char *name;
	void (*run)(void);
} steps[] = {
	{ "ring", ring },	    { "mixed", mixed }, { "crossfire", crossfire },
	{ "allreduce", allreduce }, { "bcast", bcast }, { "alltoall", alltoall },
	{ "fence", fence },	    { "locks", locks }, { "barrier", barrier },
};
#define STEPS (sizeof(steps) / sizeof(steps[0]))

static const char *step_name(void)
{
	return steps[job.step].name;
}

static void options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "t:n:m:o:s:d")) != -1)
		switch (option) {
		case 't':
			job.seconds = strtod(optarg, NULL);
			break;
		case 'n':
			job.rounds = (unsigned)strtoul(optarg, NULL, 0);
			break;
		case 'm':
			job.most = strtoul(optarg, NULL, 0);
			break;
		case 'o':
			job.only = optarg;
			break;
		case 's':
			job.seed = strtoull(optarg, NULL, 0);
			break;
		case 'd':
			job.damage = true;
			break;
		default:
			MPI_Abort(MPI_COMM_WORLD, 2);
		}
	if (job.most < 8 || job.most > LARGEST)
		MPI_Abort(MPI_COMM_WORLD, 2);
}

static void start(void)
{
	size_t slots = (size_t)job.ranks * DEPTH * (job.most + GUARD);

	job.out = malloc(slots);
	job.in = malloc(slots);
	job.expected = calloc((size_t)job.ranks, sizeof(*job.expected));
	MPI_Win_allocate(sizeof(*job.own), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &job.own, &job.win);
	if (!job.out || !job.in || !job.expected)
		MPI_Abort(MPI_COMM_WORLD, 4);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, job.rank, 0, job.win);
	memset(job.own, 0, sizeof(*job.own));
	MPI_Win_unlock(job.rank, job.win);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	double began, now;
	int more;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	options(argc, argv);
	start();
	printf("rank %d of %d is process %d, seed %" PRIu64 "\n", job.rank, job.ranks, getpid(),
	       job.seed);
	fflush(stdout);
	began = now = MPI_Wtime();
	for (;; job.round++) {
		more = job.seconds > 0 ? now - began < job.seconds : job.round < job.rounds;
		MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
		if (!more)
			break;
		for (job.step = 0; job.step < STEPS; job.step++)
			if (!job.only || !strcmp(job.only, step_name()))
				steps[job.step].run();
		now = MPI_Wtime();
	}
	MPI_Win_free(&job.win);
	printf("rank %d: %u rounds, %" PRIu64 " bytes compared, %.1f s\n", job.rank, job.round,
	       job.compared, MPI_Wtime() - began);
	free(job.out);
	free(job.in);
	free(job.expected);
	MPI_Finalize();
	return 0;
}
