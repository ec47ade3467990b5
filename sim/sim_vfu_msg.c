/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfio-user server: the commands.  Each handler checks lengths and indices first and acts then;
 * what it returns is the errno of the reply.  Payloads may be longer than a structure (later
 * protocol versions).
 */
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "sim_cfgspace.h"
#include "sim_vfu_priv.h"

#define PAGE 4096
/* Answered by the handler itself, now or later. */
#define NO_REPLY_YET 1

/* QEMU refuses a reply longer than its own request, 214 bytes, and more than 16 descriptors. */
static const char version_text[] =
	"{\"capabilities\":{\"max_msg_fds\":16,\"max_data_xfer_size\":1048576,"
	"\"pgsizes\":4096,\"max_dma_maps\":65535}}";
static_assert(VFU_MAX_FDS >= 16 && VFU_MAX_XFER == 1048576, "stated in version_text");
static_assert(sizeof(version_text) < 180, "fits the smallest request seen");

static const uint8_t *body_of(const struct sim_vfu *v)
{
	return v->conn.body;
}

static void reply(struct sim_vfu *v, const void *data, size_t n, const void *more, size_t more_n)
{
	struct vfu_header h = v->conn.head;

	if (h.flags & VFU_NO_REPLY)
		return;
	h.flags = VFU_TYPE_REPLY;
	h.error = 0;
	vfu_conn_send(&v->conn, &h, data, n, more, more_n);
}

static void reply_error(struct sim_vfu *v, int err)
{
	struct vfu_header h = v->conn.head;

	v->stats.errors++;
	if (h.flags & VFU_NO_REPLY)
		return;
	h.flags = VFU_TYPE_REPLY | VFU_ERROR;
	h.error = (uint32_t)-err;
	vfu_conn_send(&v->conn, &h, NULL, 0, NULL, 0);
}

/* The fixed part of a message; false: the message is shorter. */
static bool part(void *to, size_t size, const uint8_t *body, uint32_t len)
{
	if (len < size)
		return false;
	memcpy(to, body, size);
	return true;
}

/* The same of one that begins with argsz: false also where that says less than it is. */
static bool sized_part(void *to, size_t size, const uint8_t *body, uint32_t len)
{
	uint32_t argsz;

	if (!part(to, size, body, len))
		return false;
	memcpy(&argsz, to, sizeof(argsz));
	return argsz >= size;
}

/* ---- VERSION ---- */

/* A capability that must be a positive number if it is there. */
static int number(const json_t *caps, const char *name, json_int_t *value)
{
	const json_t *j = json_object_get(caps, name);

	if (!j)
		return 0;
	if (!json_is_integer(j) || json_integer_value(j) <= 0)
		return -EINVAL;
	*value = json_integer_value(j);
	return 0;
}

static int parse_capabilities(struct sim_vfu *v, const char *text, size_t len)
{
	json_int_t fds = 1, xfer = VFU_MAX_XFER;
	json_t *root, *caps;
	int err = 0;

	if (!len)
		return 0;	/* optional */
	if (text[len - 1])
		return -EINVAL;
	root = json_loads(text, 0, NULL);
	caps = json_object_get(root, "capabilities");
	if (!json_is_object(root) || (caps && !json_is_object(caps)))
		err = -EINVAL;
	if (!err && caps)
		err = number(caps, "max_msg_fds", &fds);
	if (!err && caps)
		err = number(caps, "max_data_xfer_size", &xfer);
	json_decref(root);
	if (!err && xfer < VFU_DMA_PIECE)
		v->dma.piece_max = (uint32_t)xfer;
	return err;
}

static int do_version(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	struct vfu_version ver;
	int err;

	if (v->hello || !part(&ver, sizeof(ver), body, len))
		return -EINVAL;
	if (ver.major != 0)
		return -ENOTSUP;
	err = parse_capabilities(v, (const char *)body + sizeof(ver), len - sizeof(ver));
	if (err)
		return err;
	v->hello = true;
	if (v->cfg.ask_all)
		sim_mem_set_rest(v->cfg.mem, vfu_dma_start, v);
	ver.minor = 0;
	reply(v, &ver, sizeof(ver), version_text, sizeof(version_text));
	return NO_REPLY_YET;
}

/* ---- DMA_MAP, DMA_UNMAP ---- */

static int do_dma_map(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	const uint32_t known = VFU_MAP_READ | VFU_MAP_WRITE | VFU_MAP_FILE_IO;
	struct vfu_dma_map m;
	unsigned int rights = 0;

	if (!sized_part(&m, sizeof(m), body, len) || v->conn.n_fds > 1)
		return -EINVAL;
	if (m.flags & ~known || (m.iova | m.size) % PAGE)
		return -EINVAL;
	if (m.flags & VFU_MAP_READ)
		rights |= SIM_MEM_READ;
	if (m.flags & VFU_MAP_WRITE)
		rights |= SIM_MEM_WRITE;
	if (v->conn.n_fds && !v->cfg.messages) {
		int err = -ENOTSUP;

		/* pread() of a descriptor such as /proc/PID/mem may block, and needs not be */
		if (!(m.flags & VFU_MAP_FILE_IO))
			err = sim_mem_add_fd(v->cfg.mem, m.iova, m.size, rights, v->conn.fds[0],
					     m.offset);
		if (err != -ENOTSUP && err != -EMFILE)
			return err;
	}
	return sim_mem_add_msg(v->cfg.mem, m.iova, m.size, rights, vfu_dma_start, v);
}

/*
 * Needs no exact match and none at all: QEMU removes spans that hold many maps or none, and takes a
 * failure as fatal.  What the core has sent before is carried out first.
 */
static int do_dma_unmap(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	struct vfu_dma_unmap m;
	bool all;

	if (!sized_part(&m, sizeof(m), body, len))
		return -EINVAL;
	all = m.flags & VFIO_DMA_UNMAP_FLAG_ALL;
	if (m.flags & ~(uint32_t)VFIO_DMA_UNMAP_FLAG_ALL)
		return -EINVAL;
	if (all ? m.iova || m.size : !m.size || m.size - 1 > UINT64_MAX - m.iova)
		return -EINVAL;
	sim_pcie_settle(v->cfg.pcie);
	if (all)
		sim_mem_clear(v->cfg.mem);
	else
		sim_mem_del(v->cfg.mem, m.iova, m.size);
	reply(v, &m, sizeof(m), NULL, 0);
	return NO_REPLY_YET;
}

/* ---- what the device is ---- */

static int do_get_info(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	struct vfu_device_info i;

	if (!sized_part(&i, sizeof(i), body, len))
		return -EINVAL;
	i = (struct vfu_device_info){
		.argsz = sizeof(i),
		.flags = VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET,
		.regions = VFIO_PCI_NUM_REGIONS,
		.irqs = VFIO_PCI_NUM_IRQS,
	};
	reply(v, &i, sizeof(i), NULL, 0);
	return NO_REPLY_YET;
}

static uint64_t region_size(uint32_t index)
{
	if (index == VFIO_PCI_CONFIG_REGION_INDEX)
		return SIM_CFGSPACE_BYTES;
	return index <= VFIO_PCI_BAR5_REGION_INDEX ? sim_cfgspace_bar_size(index) : 0;
}

/* No region can be mapped: the BARs are the core's registers. */
static int do_region_info(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	struct vfio_region_info i;

	if (!sized_part(&i, sizeof(i), body, len) || i.index >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	i = (struct vfio_region_info){
		.argsz = sizeof(i),
		.index = i.index,
		.size = region_size(i.index),
	};
	if (i.size)
		i.flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	reply(v, &i, sizeof(i), NULL, 0);
	return NO_REPLY_YET;
}

static int do_irq_info(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	struct vfio_irq_info i;

	if (!sized_part(&i, sizeof(i), body, len) || i.index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	i = (struct vfio_irq_info){ .argsz = sizeof(i), .index = i.index };
	if (i.index == VFIO_PCI_MSIX_IRQ_INDEX) {
		i.flags = VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_NORESIZE;
		i.count = CAIRN_MSIX_VECTORS;
	}
	reply(v, &i, sizeof(i), NULL, 0);
	return NO_REPLY_YET;
}

/* ---- regions ---- */

static int check_access(const struct vfu_region_rw *rw)
{
	uint64_t size;

	if (rw->region >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	size = region_size(rw->region);
	if (!rw->count || rw->count > VFU_MAX_ACCESS || rw->off >= size ||
	    rw->count > size - rw->off)
		return -EINVAL;
	return 0;
}

/* The answer of the core: a host that gets none reads ones, and so does the client. */
static void read_done(struct sim_pcie_read *r)
{
	struct vfu_read *q = r->arg;
	struct vfu_header h = { .id = q->id, .cmd = VFU_REGION_READ, .flags = VFU_TYPE_REPLY };

	q->used = false;
	q->v->n_reads--;
	if (!q->no_reply)
		vfu_conn_send(&q->v->conn, &h, &q->reply.rw, sizeof(q->reply.rw), q->reply.data,
			      q->reply.rw.count);
}

static int read_bar(struct sim_vfu *v, const struct vfu_region_rw *rw)
{
	struct vfu_read *q = v->reads;
	int err;

	while (q->used)		/* vfu_may_read() saw a free one */
		q++;
	q->r = (struct sim_pcie_read){
		.bar = rw->region,
		.off = rw->off,
		.size = rw->count,
		.buf = q->reply.data,
		.done = read_done,
		.arg = q,
	};
	q->v = v;
	q->id = v->conn.head.id;
	q->no_reply = v->conn.head.flags & VFU_NO_REPLY;
	q->reply.rw = *rw;
	err = sim_pcie_mmio_read(v->cfg.pcie, &q->r);
	if (err)
		return err;
	q->used = true;
	v->n_reads++;
	v->stats.bar_reads++;
	return NO_REPLY_YET;
}

static int do_region_read(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	uint8_t data[VFU_MAX_ACCESS];
	struct vfu_region_rw rw;
	int err;

	if (!part(&rw, sizeof(rw), body, len))
		return -EINVAL;
	err = check_access(&rw);
	if (err)
		return err;
	if (rw.region != VFIO_PCI_CONFIG_REGION_INDEX)
		return read_bar(v, &rw);
	err = sim_pcie_cfg_read(v->cfg.pcie, (uint32_t)rw.off, data, rw.count);
	if (!err)
		reply(v, &rw, sizeof(rw), data, rw.count);
	return err ? err : NO_REPLY_YET;
}

static int do_region_write(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	struct vfu_region_rw rw;
	int err;

	if (!part(&rw, sizeof(rw), body, len))
		return -EINVAL;
	err = check_access(&rw);
	if (!err && len - sizeof(rw) != rw.count)
		err = -EINVAL;
	if (err)
		return err;
	body += sizeof(rw);
	if (rw.region == VFIO_PCI_CONFIG_REGION_INDEX) {
		err = sim_pcie_cfg_write(v->cfg.pcie, (uint32_t)rw.off, body, rw.count);
	} else {
		err = sim_pcie_mmio_write(v->cfg.pcie, rw.region, rw.off, body, rw.count);
		v->stats.bar_writes++;
	}
	if (err)
		return err;
	reply(v, &rw, sizeof(rw), NULL, 0);
	return NO_REPLY_YET;
}

void vfu_cancel_reads(struct sim_vfu *v)
{
	for (unsigned int i = 0; i < VFU_MAX_READS; i++)
		if (v->reads[i].used) {
			sim_pcie_mmio_cancel(v->cfg.pcie, &v->reads[i].r);
			v->reads[i].used = false;
		}
	v->n_reads = 0;
}

/* ---- RESET ---- */

static void reset_done(void *arg, int status)
{
	struct sim_vfu *v = arg;
	struct vfu_header h = { .id = v->reset_id, .cmd = VFU_RESET, .flags = VFU_TYPE_REPLY };

	if (!v->resetting)
		return;		/* that client is gone */
	v->resetting = false;
	if (v->reset_flags & VFU_NO_REPLY)
		return;
	if (status) {
		h.flags |= VFU_ERROR;
		h.error = (uint32_t)-status;
	}
	vfu_conn_send(&v->conn, &h, NULL, 0, NULL, 0);
}

static void begin_reset(void *arg)
{
	struct sim_vfu *v = arg;
	int err;

	if (!v->resetting)
		return;
	err = sim_pcie_flr(v->cfg.pcie, reset_done, v);
	if (err)
		reset_done(v, err);
}

static int do_reset(struct sim_vfu *v)
{
	v->reset_id = v->conn.head.id;
	v->reset_flags = v->conn.head.flags;
	v->resetting = true;
	if (v->cfg.before_reset)
		v->cfg.before_reset(v->cfg.before_arg, begin_reset, v);
	else
		begin_reset(v);
	return NO_REPLY_YET;
}

/* ---- dispatch ---- */

bool vfu_may_read(const struct sim_vfu *v)
{
	return !v->resetting && v->n_reads < VFU_MAX_READS &&
	       sim_pcie_backlog(v->cfg.pcie) < VFU_MAX_BACKLOG && v->conn.out_n < VFU_MAX_XFER;
}

static int dispatch(struct sim_vfu *v, const uint8_t *body, uint32_t len)
{
	switch (v->conn.head.cmd) {
	case VFU_VERSION:
		return do_version(v, body, len);
	case VFU_DMA_MAP:
		return do_dma_map(v, body, len);
	case VFU_DMA_UNMAP:
		return do_dma_unmap(v, body, len);
	case VFU_GET_INFO:
		return do_get_info(v, body, len);
	case VFU_GET_REGION_INFO:
		return do_region_info(v, body, len);
	case VFU_GET_IRQ_INFO:
		return do_irq_info(v, body, len);
	case VFU_SET_IRQS:
		return vfu_set_irqs(v, body, len);
	case VFU_REGION_READ:
		return do_region_read(v, body, len);
	case VFU_REGION_WRITE:
		return do_region_write(v, body, len);
	case VFU_RESET:
		return do_reset(v);
	default:	/* GET_REGION_IO_FDS, DEVICE_FEATURE, ... are not offered */
		return -ENOTSUP;
	}
}

/* Commands that take descriptors; with any other they are a mistake. */
static bool takes_fds(uint16_t cmd)
{
	return cmd == VFU_DMA_MAP || cmd == VFU_SET_IRQS;
}

int vfu_handle(struct sim_vfu *v)
{
	const struct vfu_header *h = &v->conn.head;
	uint32_t len = h->size - (uint32_t)sizeof(*h);
	int err;

	if ((h->flags & VFU_TYPE_MASK) == VFU_TYPE_REPLY)
		return vfu_dma_reply(v, body_of(v), len);
	v->stats.messages++;
	if (v->cfg.verbose)
		vfu_log(v, "< command %u, %u bytes, %u descriptors", h->cmd, h->size,
			v->conn.n_fds);
	if ((h->flags & VFU_TYPE_MASK) != VFU_TYPE_COMMAND || v->conn.fds_lost ||
	    (v->conn.n_fds && !takes_fds(h->cmd)) || (!v->hello && h->cmd != VFU_VERSION))
		err = -EINVAL;
	else
		err = dispatch(v, body_of(v), len);
	if (err < 0) {
		if (v->cfg.verbose)
			vfu_log(v, "> error: %s", strerror(-err));
		reply_error(v, err);
	} else if (!err) {
		reply(v, NULL, 0, NULL, 0);
	}
	/* A client that cannot agree on a version cannot go on. */
	return v->hello ? 0 : -EPROTO;
}
