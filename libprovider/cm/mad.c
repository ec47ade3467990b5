// SPDX-License-Identifier: Apache-2.0
/* QP 1 of a port: management datagrams (IBTA 13.3), sent from and received into buffers
 * of its own. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "port.h"

#define GSI_QPN 1u
#define GSI_QKEY 0x80010000u
#define BATCH 16
#define SEND_FLAG 0x10000u /* of wr_id; below it an index */
#define DRAIN_MS 1500 /* to find a neighbour may take one second */

static uint8_t *recv_buffer(const struct port *port, unsigned int i)
{
	return port->memory + i * PORT_RECV_BYTES;
}

static uint8_t *send_buffer(const struct port *port, unsigned int i)
{
	return port->memory + PORT_RECVS * PORT_RECV_BYTES + i * MAD_BYTES;
}

static int post_receive(struct port *port, unsigned int i)
{
	struct ibv_sge sge = { .addr = (uintptr_t)recv_buffer(port, i),
			       .length = PORT_RECV_BYTES,
			       .lkey = port->mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = i, .sg_list = &sge, .num_sge = 1 }, *bad;

	return post_recv(port->qp, &wr, &bad);
}

void mad_post(struct port *port, const struct ibv_ah *ah, const uint8_t mad[MAD_BYTES])
{
	struct ibv_sge sge = { .length = MAD_BYTES, .lkey = port->mr->lkey };
	struct ibv_send_wr wr = { .sg_list = &sge,
				  .num_sge = 1,
				  .opcode = IBV_WR_SEND,
				  .send_flags = IBV_SEND_SIGNALED },
			   *bad;
	unsigned int i;

	if (!port->n_free_sends)
		return; /* lost; it is said again */
	i = port->free_sends[--port->n_free_sends];
	memcpy(send_buffer(port, i), mad, MAD_BYTES);
	sge.addr = (uintptr_t)send_buffer(port, i);
	wr.wr_id = SEND_FLAG | i;
	wr.wr.ud.ah = (struct ibv_ah *)(uintptr_t)ah;
	wr.wr.ud.remote_qpn = GSI_QPN;
	wr.wr.ud.remote_qkey = GSI_QKEY;
	if (post_send(port->qp, &wr, &bad))
		port->free_sends[port->n_free_sends++] = i;
}

/* Who sent it to which of our addresses: the IP header is in front of a datagram, IPv4's in the
 * second half of its place. */
static bool read_header(const struct port *port, const uint8_t *grh, struct cm_path *path,
			uint8_t sl)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	bool v6 = grh[0] >> 4 == 6;
	uint8_t own[CM_GID_BYTES], peer[CM_GID_BYTES], tclass;
	uint32_t vlan = 0;
	int index;

	if (v6) {
		memcpy(peer, grh + 8, 16);
		memcpy(own, grh + 24, 16);
		tclass = (uint8_t)(grh[0] << 4 | grh[1] >> 4);
	} else {
		memcpy(peer, mapped, 12);
		memcpy(own, mapped, 12);
		memcpy(peer + 12, grh + 32, 4);
		memcpy(own + 12, grh + 36, 4);
		tclass = grh[21];
	}
	index = port_gid_index(port, own);
	if (index < 0)
		return false;
	port_path_init(port, (uint32_t)index, peer, path);
	path->traffic_class = tclass;
	if (port_gid(port, (uint32_t)index, own, &vlan) && vlan & CAIRN_GID_VLAN)
		path->sl = sl;
	return true;
}

static void received(struct port *port, const struct ibv_wc *wc)
{
	unsigned int i = (unsigned int)wc->wr_id;
	const uint8_t *buffer = recv_buffer(port, i);
	struct cm_path path;

	if (wc->status == IBV_WC_SUCCESS && wc->byte_len == PORT_RECV_BYTES &&
	    read_header(port, buffer, &path, wc->sl))
		cm_receive(&port->cm, &path, buffer + PORT_GRH_BYTES);
	else
		port->cm.counters[CM_COUNT_MALFORMED]++;
	if (wc->status != IBV_WC_WR_FLUSH_ERR)
		post_receive(port, i);
}

/* A datagram that cannot be sent (its source address is gone) stops the queue. */
static void sent(struct port *port, const struct ibv_wc *wc)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTS, .cur_qp_state = IBV_QPS_SQE };

	port->free_sends[port->n_free_sends++] = (unsigned int)wc->wr_id & ~SEND_FLAG;
	if (wc->status != IBV_WC_SUCCESS && wc->status != IBV_WC_WR_FLUSH_ERR)
		qp_modify(port->qp, &attr, IBV_QP_STATE | IBV_QP_CUR_STATE);
}

void mad_poll(struct port *port)
{
	struct ibv_wc wc[BATCH];
	int n;

	while ((n = poll_cq(port->cq, BATCH, wc)) > 0)
		for (int i = 0; i < n; i++) {
			if (wc[i].wr_id & SEND_FLAG)
				sent(port, &wc[i]);
			else
				received(port, &wc[i]);
		}
}

void mad_drain(struct port *port)
{
	const struct timespec nap = { .tv_nsec = 1000000 };

	for (unsigned int i = 0; i < DRAIN_MS; i++) {
		bool done;

		pthread_mutex_lock(&cm_lock);
		if (!port->lost)
			mad_poll(port);
		done = port->lost || (port->n_free_sends == PORT_SENDS && !port->waiting);
		pthread_mutex_unlock(&cm_lock);
		if (done)
			return;
		nanosleep(&nap, NULL);
	}
}

/* ---------------------------------------------------------------- open and close */

static int to_rts(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = PORT, .qkey = GSI_QKEY };
	int err =
		qp_modify(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);

	attr.qp_state = IBV_QPS_RTR;
	if (!err)
		err = qp_modify(qp, &attr, IBV_QP_STATE);
	attr.qp_state = IBV_QPS_RTS;
	if (!err)
		err = qp_modify(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN);
	return err;
}

static int create_queues(struct port *port)
{
	struct ibv_qp_init_attr init = { .cap = { .max_send_wr = PORT_SENDS,
						  .max_recv_wr = PORT_RECVS,
						  .max_send_sge = 1,
						  .max_recv_sge = 1 },
					 .qp_type = IBV_QPT_UD };

	port->channel = event_channel_create(port->ctx);
	port->cq = port->channel
			   ? cq_create(port->ctx, PORT_SENDS + PORT_RECVS, NULL, port->channel, 0)
			   : NULL;
	if (!port->cq)
		return errno;
	init.send_cq = init.recv_cq = port->cq;
	port->qp = qp_create_gsi(port->pd, &init);
	return port->qp ? to_rts(port->qp) : errno;
}

int mad_open(struct port *port)
{
	size_t bytes = PORT_RECVS * PORT_RECV_BYTES + PORT_SENDS * MAD_BYTES;
	int err;

	port->pd = pd_alloc(port->ctx);
	if (!port->pd)
		return errno;
	port->memory = aligned_alloc(4096, (bytes + 4095) & ~4095ul);
	if (!port->memory)
		return ENOMEM;
	port->mr = mr_reg(port->pd, port->memory, bytes, (uintptr_t)port->memory,
			  IBV_ACCESS_LOCAL_WRITE);
	if (!port->mr)
		return errno;
	err = create_queues(port);
	for (unsigned int i = 0; !err && i < PORT_RECVS; i++)
		err = post_receive(port, i);
	for (unsigned int i = 0; i < PORT_SENDS; i++)
		port->free_sends[port->n_free_sends++] = i;
	return err ? err : cq_req_notify(port->cq, 0);
}

void mad_close(struct port *port)
{
	if (port->qp)
		qp_destroy(port->qp);
	if (port->cq) {
		port->cq->comp_events_completed = ((struct cq *)port->cq)->comp_events;
		cq_destroy(port->cq);
	}
	if (port->channel)
		event_channel_destroy(port->channel);
	if (port->mr)
		mr_dereg(port->mr);
	free(port->memory);
	if (port->pd)
		pd_dealloc(port->pd);
}
