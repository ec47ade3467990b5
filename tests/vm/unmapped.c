// SPDX-License-Identifier: Apache-2.0
/*
 * A device reads memory that its IOMMU does not show it: two functions in one process, a QP on
 * each; WRITEs go from one to the other; then the kernel takes the source's mapping away (by ioctl,
 * behind the driver's back).  The next WRITE must end with an error status and its QP in ERR; a
 * second pair of QPs goes on.  Uses libcairn without verbs.
 *
 *     unmapped BDF BDF
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <linux/vfio.h>

#include "cairn.h"
#include "queue.h"

#define BYTES 8192u
#define GID 1u
#define WAIT_S 60

#define must(condition)                                                                    \
	do {                                                                               \
		if (!(condition)) {                                                        \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, \
				cairn_last_error());                                       \
			exit(1);                                                           \
		}                                                                          \
	} while (0)

struct side {
	struct cairn_dev *dev;
	struct cairn_pd *pd;
	struct cairn_cq *cq;
	struct cairn_db *db;
	uint8_t *mem, *other;	    /* registered apart */
	struct cairn_mr *mr, *more; /* of mem and of other */
	struct cairn_qp *qp[2];
};

static void open_side(struct side *s, const char *bdf, uint8_t fill)
{
	const uint32_t access = CAIRN_ACCESS_LOCAL_WRITE | CAIRN_ACCESS_REMOTE_WRITE;

	must(!cairn_open(bdf, NULL, &s->dev));
	must(!cairn_alloc_pd(s->dev, &s->pd));
	must(!cairn_alloc_db(s->dev, &s->db));
	must(!cairn_create_cq(s->dev, 16, CAIRN_ANY, s->db, NULL, &s->cq));
	s->mem = aligned_alloc(4096, BYTES);
	s->other = aligned_alloc(4096, BYTES);
	must(s->mem && s->other);
	memset(s->mem, fill, BYTES);
	memset(s->other, fill + 1, BYTES);
	must(!cairn_reg_mr(s->pd, s->mem, BYTES, (uintptr_t)s->mem, access, &s->mr));
	must(!cairn_reg_mr(s->pd, s->other, BYTES, (uintptr_t)s->other, access, &s->more));
	for (unsigned int i = 0; i < 2; i++) {
		struct cairn_qp_init init = { .type = CAIRN_QP_TYPE_RC,
					      .send_cq = s->cq,
					      .recv_cq = s->cq,
					      .max_send_wr = 4,
					      .max_recv_wr = 1,
					      .max_send_sge = 1,
					      .max_recv_sge = 1,
					      .db = s->db,
					      .qpn = CAIRN_ANY };

		must(!cairn_create_qp(s->pd, &init, &s->qp[i]));
	}
}

static void connect_qp(struct cairn_qp *qp, const struct cairn_qp *to)
{
	struct cairn_qp_attr attr = { .path_mtu = 3, /* 1024 */
				      .dest_qpn = to->qpn,
				      .access = CAIRN_ACCESS_REMOTE_WRITE,
				      .port = 1,
				      .max_rd_atomic = 1,
				      .max_dest_rd_atomic = 1,
				      .timeout = 18,
				      .retry_cnt = 7,
				      .rnr_retry = 7,
				      .sgid_index = GID,
				      .hop_limit = 64 };
	static const uint32_t mask[] = {
		CAIRN_QP_MASK_PKEY_INDEX | CAIRN_QP_MASK_PORT | CAIRN_QP_MASK_ACCESS,
		CAIRN_QP_MASK_AV | CAIRN_QP_MASK_PATH_MTU | CAIRN_QP_MASK_DEST_QPN |
			CAIRN_QP_MASK_RQ_PSN | CAIRN_QP_MASK_MAX_DEST_RD_ATOMIC |
			CAIRN_QP_MASK_MIN_RNR_TIMER,
		CAIRN_QP_MASK_SQ_PSN | CAIRN_QP_MASK_TIMEOUT | CAIRN_QP_MASK_RETRY_CNT |
			CAIRN_QP_MASK_RNR_RETRY | CAIRN_QP_MASK_MAX_RD_ATOMIC,
	};
	uint32_t vlan;

	must(!cairn_query_gid(to->dev, GID, attr.dgid, &vlan));
	for (uint32_t i = 0; i < 3; i++) {
		attr.state = CAIRN_QP_STATE_INIT + i;
		must(!cairn_modify_qp(qp, &attr, CAIRN_QP_MASK_STATE | mask[i]));
	}
}

/* Status of a WRITE of all BYTES of `from` to the other side's `to`. */
static uint32_t write_all(struct side *s, struct cairn_qp *qp, const struct cairn_mr *from,
			  const struct cairn_mr *to)
{
	struct cairn_wqe *wqe = cairn_sq_block(qp, qp->sq_pi);
	time_t until = time(NULL) + WAIT_S;
	const struct cairn_cqe *cqe;
	uint32_t status;

	*wqe = (struct cairn_wqe){ .ctrl = (uint32_t)(CAIRN_PUT(CAIRN_WQE_CTRL_OPCODE,
								CAIRN_WQE_OP_WRITE) |
						      CAIRN_PUT(CAIRN_WQE_CTRL_SIGNALED, 1) |
						      CAIRN_PUT(CAIRN_WQE_CTRL_NUM_SGE, 1) |
						      CAIRN_PUT(CAIRN_WQE_CTRL_BLOCKS, 1)),
				   .length = BYTES,
				   .check = cairn_sq_check(qp, qp->sq_pi),
				   .raddr = to->va,
				   .rkey = to->key,
				   .sge0_addr = from->va,
				   .sge0_lkey = from->key,
				   .sge0_length = BYTES };
	qp->sq_pi++;
	cairn_sq_ring(qp);
	while (!(cqe = cairn_cq_next(s->cq))) {
		must(time(NULL) < until);
		cairn_relax(s->dev, 0);
	}
	must(CAIRN_GET(cqe->qpn_op, CAIRN_CQE_QPN_OP_QPN) == qp->qpn);
	status = CAIRN_GET(cqe->status, CAIRN_CQE_STATUS);
	cairn_cq_consume(s->cq);
	cairn_cq_update(s->cq);
	return status;
}

/* An acknowledgement does not promise that the data are in memory already. */
static void arrives(const volatile uint8_t *at, uint8_t value)
{
	time_t until = time(NULL) + WAIT_S;

	for (uint32_t i = 0; i < BYTES; i++)
		while (at[i] != value)
			must(time(NULL) < until);
}

/* Each function has a container of its own; IOVAs are random, so only one has this mapping. */
static void unmap(const struct cairn_mr *mr)
{
	struct vfio_iommu_type1_dma_unmap job = { .argsz = sizeof(job), .iova = mr->map_iova };

	for (int fd = 3; fd < 256; fd++) {
		char link[32], to[64];
		ssize_t n;

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, to, sizeof(to) - 1);
		if (n < 0)
			continue;
		to[n] = 0;
		if (strcmp(to, "/dev/vfio/vfio"))
			continue;
		job.size = mr->map_len;
		if (ioctl(fd, VFIO_IOMMU_UNMAP_DMA, &job)) {
			perror("VFIO_IOMMU_UNMAP_DMA");
			exit(1);
		}
		if (!job.size)
			continue;
		printf("unmapped %llu bytes at IOVA %#llx\n", (unsigned long long)job.size,
		       (unsigned long long)mr->map_iova);
		must(job.size == mr->map_len);
		return;
	}
	fprintf(stderr, "no container has the mapping\n");
	exit(1);
}

int main(int argc, char **argv)
{
	struct side a = { 0 }, b = { 0 };
	struct cairn_qp_attr attr;
	uint32_t status;

	if (argc != 3) {
		fprintf(stderr, "usage: unmapped BDF BDF\n");
		return 2;
	}
	open_side(&a, argv[1], 1);
	open_side(&b, argv[2], 11);
	for (unsigned int i = 0; i < 2; i++) {
		connect_qp(a.qp[i], b.qp[i]);
		connect_qp(b.qp[i], a.qp[i]);
	}
	must(write_all(&a, a.qp[0], a.mr, b.mr) == CAIRN_WC_STATUS_SUCCESS);
	arrives(b.mem, 1);
	unmap(a.mr);
	memset(b.mem, 3, BYTES);
	status = write_all(&a, a.qp[0], a.mr, b.mr);
	printf("WRITE from there: status %s\n", cairn_enum_name("wc_status", status));
	must(status == CAIRN_WC_STATUS_LOC_PROT_ERR || status == CAIRN_WC_STATUS_LOC_QP_OP_ERR);
	must(!cairn_query_qp(a.qp[0], &attr) && attr.state == CAIRN_QP_STATE_ERR);
	for (uint32_t i = 0; i < BYTES; i++)
		if (b.mem[i] != 3) {
			fprintf(stderr, "byte %u of the target is %#x\n", i, b.mem[i]);
			return 1;
		}
	must(write_all(&a, a.qp[1], a.more, b.more) == CAIRN_WC_STATUS_SUCCESS);
	arrives(b.other, 2);
	puts("another QP goes on");
	return 0; /* the kernel cleans up */
}
