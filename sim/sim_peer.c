// SPDX-License-Identifier: Apache-2.0
/*
 * The external peer of the wire: a TAP device of this machine, or a UNIX datagram socket on which
 * one datagram is one Ethernet frame without FCS (QEMU: -netdev dgram).  What it sends is padded to
 * 60 bytes and comes in at link rate; what it does not take is dropped, as on a wire.  Or a
 * function of this process (cfg.peer_fn), which takes everything.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim_wire_priv.h"

/*
 * A peer whose socket is full is tried again after this device time, and loses frames older than
 * the second.
 */
#define RETRY_NS	20000
#define GIVE_UP_NS	100000000ULL

static int fail(char *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int fail(char *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, SIM_ERR_MAX, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static int open_tap(struct sim_peer *peer, const char *name, char *err)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };

	if (!*name || strlen(name) >= IFNAMSIZ)
		return fail(err, "--wire tap:%s: an interface name has 1 to %d characters", name, IFNAMSIZ - 1);
	strcpy(ifr.ifr_name, name);
	peer->fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (peer->fd < 0)
		return fail(err, "--wire tap:%s: cannot open /dev/net/tun: %s", name, strerror(errno));
	if (ioctl(peer->fd, TUNSETIFF, &ifr))
		return fail(err, "--wire tap:%s: %s (make the device first: ip tuntap add %s mode tap user $USER)", name,
			    strerror(errno), name);
	peer->tap = true;
	return 0;
}

static int unix_address(struct sockaddr_un *address, const char *path, size_t len, char *err)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (!len || len >= sizeof(address->sun_path))
		return fail(err, "--wire dgram: a socket path has 1 to %zu characters", sizeof(address->sun_path) - 1);
	memcpy(address->sun_path, path, len);
	return 0;
}

static int open_dgram(struct sim_peer *peer, const char *spec, char *err)
{
	const char *comma = strchr(spec, ',');
	struct sockaddr_un local, remote;
	struct stat st;

	if (!comma || strchr(comma + 1, ','))
		return fail(err, "--wire dgram:%s: needs dgram:LOCAL,REMOTE", spec);
	if (unix_address(&local, spec, (size_t)(comma - spec), err) ||
	    unix_address(&remote, comma + 1, strlen(comma + 1), err))
		return -EINVAL;
	peer->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (peer->fd < 0)
		return fail(err, "--wire dgram: socket: %s", strerror(errno));
	/* A socket without an answer is left over from an earlier run. */
	if (!lstat(local.sun_path, &st)) {
		if (!S_ISSOCK(st.st_mode))
			return fail(err, "--wire dgram: %s exists and is no socket", local.sun_path);
		if (connect(peer->fd, (struct sockaddr *)&local, sizeof(local)) &&
		    errno == ECONNREFUSED)
			unlink(local.sun_path);
	}
	close(peer->fd);
	peer->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (peer->fd < 0 || bind(peer->fd, (struct sockaddr *)&local, sizeof(local)) ||
	    chmod(local.sun_path, 0600) || lstat(local.sun_path, &st))
		return fail(err, "--wire dgram: cannot bind %s: %s", local.sun_path, strerror(errno));
	memcpy(peer->local, local.sun_path, sizeof(local.sun_path));
	peer->dev = st.st_dev;
	peer->ino = st.st_ino;
	memcpy(peer->remote, &remote, sizeof(remote));
	peer->remote_len = sizeof(remote);
	return 0;
}

int sim_peer_open(struct sim_wire *wire, const char *spec, char *err)
{
	static_assert(sizeof(wire->peer.local) >= sizeof(((struct sockaddr_un *)0)->sun_path), "room for a path");
	static_assert(sizeof(wire->peer.remote) >= sizeof(struct sockaddr_un), "room for an address");

	wire->peer.line.mbps = wire->cfg.mbps;
	if (!strncmp(spec, "tap:", 4))
		return open_tap(&wire->peer, spec + 4, err);
	if (!strncmp(spec, "dgram:", 6))
		return open_dgram(&wire->peer, spec + 6, err);
	return fail(err, "--wire %s: link, tap:NAME or dgram:LOCAL,REMOTE", spec);
}

void sim_peer_close(struct sim_wire *wire)
{
	struct stat st;

	if (wire->peer.fd < 0)
		return;
	close(wire->peer.fd);
	/* Only what was put there, if it is there still. */
	if (*wire->peer.local && !lstat(wire->peer.local, &st) && S_ISSOCK(st.st_mode) &&
	    st.st_dev == wire->peer.dev && st.st_ino == wire->peer.ino)
		unlink(wire->peer.local);
	wire->peer.fd = -1;
}

/* True when the frame is gone, taken or lost; false: try again later. */
static bool send_one(struct sim_wire *wire, const struct sim_frame *frame, uint64_t now)
{
	struct sim_wire_stats *stats = &wire->port[wire->cfg.nics].stats;
	struct sim_peer *peer = &wire->peer;
	ssize_t n;

	if (frame->err) {
		stats->rx_bad_fcs++;
		return true;
	}
	if (wire->cfg.peer_fn) {
		wire->cfg.peer_fn(wire->cfg.peer_arg, frame);
		n = (ssize_t)frame->len;
	} else if (peer->tap)
		n = write(peer->fd, frame->data, frame->len);
	else
		n = sendto(peer->fd, frame->data, frame->len, MSG_DONTWAIT | MSG_NOSIGNAL,
			   (struct sockaddr *)peer->remote, peer->remote_len);
	if (n == (ssize_t)frame->len) {
		stats->rx_frames++;
		stats->rx_bytes += frame->len;
		return true;
	}
	if (n < 0 && (errno == EAGAIN || errno == ENOBUFS || errno == EINTR) &&
	    now - frame->t < GIVE_UP_NS)
		return false;
	stats->peer_drop++;
	return true;
}

void sim_peer_run(struct sim_wire *wire, uint64_t now)
{
	struct sim_fifo *rx = &wire->port[wire->cfg.nics].rx;

	if (now < wire->peer.retry_at)
		return;
	while (sim_fifo_next(rx) <= now) {
		if (!send_one(wire, rx->head, now)) {
			wire->peer.retry_at = now + RETRY_NS;
			return;
		}
		sim_frame_free(sim_fifo_pop(rx));
	}
}

uint64_t sim_peer_next(const struct sim_wire *wire)
{
	uint64_t t = sim_fifo_next(&wire->port[wire->cfg.nics].rx);

	return t == SIM_NEVER || t > wire->peer.retry_at ? t : wire->peer.retry_at;
}

struct sim_frame *sim_peer_receive(struct sim_wire *wire, uint64_t now)
{
	uint8_t data[SIM_FRAME_MAX];
	struct sim_frame *frame;
	ssize_t n = 0;

	while (wire->peer.fd >= 0 && (n = read(wire->peer.fd, data, sizeof(data))) > 0 && n < 14)
		; /* not even an Ethernet header */
	frame = wire->peer.fd < 0 || n <= 0 ? NULL : sim_frame_new(data, (uint32_t)n);
	if (frame)
		frame->t = sim_line_frame(&wire->peer.line, now, frame->len);
	return frame;
}

struct pollfd sim_wire_pollfd(const struct sim_wire *wire)
{
	return (struct pollfd){ .fd = wire->peer.fd, .events = POLLIN };
}
