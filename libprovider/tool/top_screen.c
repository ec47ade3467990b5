// SPDX-License-Identifier: Apache-2.0
/*
 * `cairn top` on a terminal (top.h): keys, drawing, and a terminal that is as it was when it ends,
 * by a key or by a signal.  Signals come in only while it waits; a terminal that went away ends it.
 */
#include "top.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include "devtime.h"

#define NS_PER_S 1e9
#define HEAD_COLOR 1
#define MIN_INTERVAL 0.1
#define MAX_INTERVAL 3600.0
/* Fewer lines, and there is none for messages. */
#define STATUS_LINES 5

static volatile sig_atomic_t ended;
static char message[256];	/* what the last reading had to say */

struct screen {
	struct top_opts *opts;
	struct top_data data;
	bool paused, help, color, quit;
	int row;			/* where the next line goes */
	int skip;			/* lines of the body before the first that is seen */
	int first, last, body;		/* rows of the body; its lines */
	uint64_t next;			/* CLOCK_MONOTONIC, ns: the next reading */
};

static void on_signal(int number)
{
	(void)number;
	ended = 1;
}

static int keep_message(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	return 1;
}

/* ---- drawing ---- */

static void draw_text(const struct screen *s, enum top_style style, int row, const char *text)
{
	int attributes = style == TOP_TITLE ? A_REVERSE : style == TOP_HEAD ? A_BOLD : A_NORMAL;

	if (s->color && style == TOP_HEAD)
		attributes |= COLOR_PAIR(HEAD_COLOR);
	attrset(attributes);
	mvaddnstr(row, 0, text, COLS);
	attrset(A_NORMAL);
}

static void draw_head(void *arg, enum top_style style, const char *text)
{
	struct screen *s = arg;

	if (s->row < LINES)
		draw_text(s, style, s->row++, text);
}

static void draw_body(void *arg, enum top_style style, const char *text)
{
	struct screen *s = arg;
	int row = s->first + s->body++ - s->skip;

	if (row >= s->first && row <= s->last)
		draw_text(s, style, row, text);
}

static void draw_status(const struct screen *s)
{
	char text[sizeof(message) + 64];

	snprintf(text, sizeof(text), "%s%s%s", s->paused ? "PAUSED  " : "",
		 *message ? message : "h: help  q: end", s->body > s->last - s->first + 1 + s->skip ?
							 "  (more below)" : "");
	draw_text(s, TOP_PLAIN, LINES - 1, text);
}

static void draw(struct screen *s)
{
	unsigned int width = COLS > 0 ? (unsigned int)COLS : 1;
	bool status = LINES >= STATUS_LINES;
	int beyond;

	erase();
	s->row = 0;
	if (!s->help)
		top_view_head(&s->data.figures, s->opts, width, draw_head, s);
	s->first = s->row;
	s->last = LINES - 1 - status;
	s->body = 0;
	if (s->help)
		top_view_help(draw_body, s);
	else
		top_view_body(&s->data.figures, s->opts, width, draw_body, s);
	/* What there is may have become less. */
	beyond = s->body - (s->last - s->first + 1);
	beyond = beyond > 0 ? beyond : 0;
	if (s->skip > beyond) {
		s->skip = beyond;
		draw(s);
		return;
	}
	if (status)
		draw_status(s);
	refresh();
}

/* ---- keys ---- */

static void show_only(struct screen *s, const char *name)
{
	snprintf(s->opts->only, sizeof(s->opts->only), "%s", name);
	s->skip = 0;
}

/* After the one that is shown; after the last all. */
static void show_next(struct screen *s)
{
	const struct nics *nics = &s->data.now;
	unsigned int i = 0;

	while (*s->opts->only && i < nics->n && strcmp(nics->nic[i].name, s->opts->only))
		i++;
	if (*s->opts->only)
		i++;
	show_only(s, i < nics->n ? nics->nic[i].name : "");
}

static void change_interval(struct screen *s, double factor)
{
	double interval = s->opts->interval * factor;

	if (interval < MIN_INTERVAL || interval > MAX_INTERVAL)
		return;
	s->opts->interval = interval;
	s->next = devtime_wall() + (uint64_t)(interval * NS_PER_S);
}

static void scroll_key(struct screen *s, int key)
{
	int page = s->last - s->first + 1;

	s->skip += key == KEY_DOWN ? 1 : key == KEY_UP ? -1 : key == KEY_NPAGE ? page : -page;
	if (s->skip < 0 || key == KEY_HOME)
		s->skip = 0;
}

static void option_key(struct top_opts *opts, int key)
{
	switch (key) {
	case 's':
		opts->sort = (opts->sort + 1) % top_n_sorts;
		break;
	case 'S':
		opts->sort = (opts->sort + top_n_sorts - 1) % top_n_sorts;
		break;
	case 'r':
		opts->reverse = !opts->reverse;
		break;
	case 't':
		opts->time = (opts->time + 1) % (TOP_BOTH_TIMES + 1);
		break;
	case 'u':
		opts->qps = !opts->qps;
		break;
	case 'c':
		opts->totals = !opts->totals;
		break;
	default:
		break;
	}
}

static void press(struct screen *s, int key)
{
	char name[8] = "";

	if (key >= '0' && key <= '9') {
		snprintf(name, sizeof(name), "nic%c", key);
		show_only(s, name);
	} else if (key == 'q' || key == 'Q') {
		s->quit = true;
	} else if (key == 'h' || key == '?') {
		s->help = !s->help;
		s->skip = 0;
	} else if (key == ' ' || key == 'p') {
		s->paused = !s->paused;
		s->next = devtime_wall();
	} else if (key == 'n') {
		show_next(s);
	} else if (key == 'a') {
		show_only(s, "");
	} else if (key == '+' || key == '-') {
		change_interval(s, key == '+' ? 2 : 0.5);
	} else if (key == KEY_DOWN || key == KEY_UP || key == KEY_NPAGE || key == KEY_PPAGE ||
		   key == KEY_HOME) {
		scroll_key(s, key);
	} else {
		option_key(s->opts, key);
	}
}

/* ---- the loop ---- */

/* False: the terminal is gone. */
static bool wait_for_key(struct screen *s, const sigset_t *inside)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	uint64_t now = devtime_wall(), ns = s->next > now ? s->next - now : 0;
	struct timespec limit = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
	int n = ppoll(&fd, 1, s->paused ? NULL : &limit, inside), key, keys = 0;

	if (n < 0 && errno != EINTR)
		return false;
	while ((key = getch()) != ERR) {
		keys++;
		if (key != KEY_RESIZE)
			press(s, key);
	}
	return n <= 0 || (!(fd.revents & (POLLHUP | POLLERR | POLLNVAL)) && keys);
}

static int loop(struct screen *s, const sigset_t *inside)
{
	unsigned long readings = 0;
	int err = 0;

	while (!ended && !s->quit && !err) {
		uint64_t now = devtime_wall();

		if (!s->paused && now >= s->next) {
			if (s->opts->iterations && readings > s->opts->iterations)
				break;
			message[0] = '\0';
			top_take(&s->data, &s->opts->where, top_watch_ns(s->opts), keep_message);
			readings++;
			s->next = now + (uint64_t)(s->opts->interval * NS_PER_S);
		}
		err = top_figure(&s->data, s->opts);
		if (err)
			break;
		draw(s);
		if (!wait_for_key(s, inside))
			break;
	}
	return err;
}

static void catch_signals(sigset_t *inside)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t outside;

	sigemptyset(&outside);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		sigaddset(&outside, ends[i]);
		sigaction(ends[i], &action, NULL);
	}
	sigaddset(&outside, SIGWINCH);
	sigprocmask(SIG_BLOCK, &outside, inside);
	sigdelset(inside, SIGWINCH);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigdelset(inside, ends[i]);
}

static bool use_colors(void)
{
	const char *no = getenv("NO_COLOR");

	if ((no && *no) || !has_colors() || start_color() == ERR)
		return false;
	return use_default_colors() != ERR && init_pair(HEAD_COLOR, COLOR_CYAN, -1) != ERR;
}

/* One that is known, and lets the cursor be put somewhere. */
static bool can_draw(void)
{
	int known;
	const char *move;

	if (setupterm(NULL, STDOUT_FILENO, &known) == ERR)
		return false;
	move = tigetstr("cup");
	return move && move != (const char *)-1;
}

int top_screen(struct top_opts *opts)
{
	struct screen s = { .opts = opts };
	const char *name = getenv("TERM");
	sigset_t inside;
	SCREEN *terminal = NULL;
	int err;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return tool_fail("standard input and output are no terminal; --batch writes plain text");
	catch_signals(&inside);
	if (can_draw())
		terminal = newterm(NULL, stdout, stdin);
	if (!terminal)
		return tool_fail("TERM=%s: nothing can be drawn on such a terminal; set TERM, or use --batch, "
				 "which writes plain text", name ? name : "");
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	s.color = use_colors();
	err = loop(&s, &inside);
	endwin();
	delscreen(terminal);
	top_free(&s.data);
	return err ? tool_fail("%s", strerror(-err)) : 0;
}
