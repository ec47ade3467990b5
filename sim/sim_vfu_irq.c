/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfio-user server: interrupts.  A client hands over eventfds by SET_IRQS; the root complex
 * programs the core's MSI-X table accordingly and calls vfu_irq_fire() when a message arrives. Only
 * MSI-X exists.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "sim_vfu_priv.h"

#define DATA_MASK (VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_DATA_BOOL | VFIO_IRQ_SET_DATA_EVENTFD)
#define ACTION_MASK	(VFIO_IRQ_SET_ACTION_MASK | VFIO_IRQ_SET_ACTION_UNMASK | \
			 VFIO_IRQ_SET_ACTION_TRIGGER)

/* Anything else could block the simulator, or have it write where the client may not. */
static bool is_eventfd(int fd)
{
	char path[32], target[32];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = 0;
	return !strcmp(target, "anon_inode:[eventfd]");
}

void vfu_irq_fire(void *arg, unsigned int vector)
{
	struct sim_vfu *v = arg;
	struct pollfd ready = { .fd = v->irq_fd[vector], .events = POLLOUT };
	const uint64_t one = 1;

	/* A counter at its limit would block; such a reader has events enough. */
	if (ready.fd < 0 || poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT))
		return;
	if (write(ready.fd, &one, sizeof(one)) == (ssize_t)sizeof(one))
		v->stats.irqs++;
}

static void drop(struct sim_vfu *v, uint32_t start, uint32_t count)
{
	sim_pcie_irq_disable(v->cfg.pcie, start, count);
	for (uint32_t i = start; i < start + count; i++) {
		if (v->irq_fd[i] >= 0)
			close(v->irq_fd[i]);
		v->irq_fd[i] = -1;
	}
}

void vfu_irq_close(struct sim_vfu *v)
{
	drop(v, 0, CAIRN_MSIX_VECTORS);
	sim_pcie_irq_clear(v->cfg.pcie);
}

static int assign(struct sim_vfu *v, const struct vfu_irq_set *s)
{
	struct vfu_conn *c = &v->conn;

	for (uint32_t i = 0; i < s->count; i++)
		if (!is_eventfd(c->fds[i]))
			return -EINVAL;
	for (uint32_t i = 0; i < s->count; i++) {
		int *slot = &v->irq_fd[s->start + i];

		/* A client may fill the counter between poll() and write(). */
		fcntl(c->fds[i], F_SETFL, fcntl(c->fds[i], F_GETFL) | O_NONBLOCK);
		if (*slot >= 0)
			close(*slot);
		*slot = c->fds[i];
		c->fds[i] = -1;
	}
	return sim_pcie_irq_enable(v->cfg.pcie, s->start, s->count);
}

/* Lengths and indices first; nothing is changed by a message that is refused. */
static int check(const struct sim_vfu *v, const struct vfu_irq_set *s, uint32_t len)
{
	uint32_t data = s->flags & DATA_MASK, action = s->flags & ACTION_MASK, limit;

	if (s->argsz < sizeof(*s) || s->flags & ~(uint32_t)(DATA_MASK | ACTION_MASK))
		return -EINVAL;
	if (!data || data & (data - 1) || !action || action & (action - 1))
		return -EINVAL;
	if (s->index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	limit = s->index == VFIO_PCI_MSIX_IRQ_INDEX ? CAIRN_MSIX_VECTORS : 0;
	if (s->start > limit || s->count > limit - s->start)
		return -EINVAL;
	if (!s->count && data != VFIO_IRQ_SET_DATA_NONE)
		return -EINVAL;
	if (data == VFIO_IRQ_SET_DATA_BOOL && len - sizeof(*s) < s->count)
		return -EINVAL;
	if (data == VFIO_IRQ_SET_DATA_EVENTFD ? v->conn.n_fds && v->conn.n_fds != s->count :
						v->conn.n_fds != 0)
		return -EINVAL;
	return action == VFIO_IRQ_SET_ACTION_TRIGGER ? 0 : -ENOTSUP;	/* MSI-X has no mask call */
}

int vfu_set_irqs(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	struct vfu_irq_set s;
	int err;

	if (len < sizeof(s))
		return -EINVAL;
	memcpy(&s, body, sizeof(s));
	err = check(v, &s, len);
	if (err || s.index != VFIO_PCI_MSIX_IRQ_INDEX)
		return err;
	if (s.flags & VFIO_IRQ_SET_DATA_EVENTFD && v->conn.n_fds)
		return assign(v, &s);
	if (s.flags & VFIO_IRQ_SET_DATA_EVENTFD) {
		drop(v, s.start, s.count);
	} else if (!s.count) {
		drop(v, 0, CAIRN_MSIX_VECTORS);
	} else {
		/* fire by hand: all named, or those whose byte is set */
		for (uint32_t i = 0; i < s.count; i++)
			if (s.flags & VFIO_IRQ_SET_DATA_NONE || body[sizeof(s) + i])
				vfu_irq_fire(v, s.start + i);
	}
	return 0;
}
