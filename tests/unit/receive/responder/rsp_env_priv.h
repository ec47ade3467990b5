/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of rsp_env. */
#ifndef RSP_ENV_PRIV_H
#define RSP_ENV_PRIV_H

#include "rsp_env.h"
#include "vtb_rec.h"

/* Ports are looked up once per place and model: a search by name in each cycle would be most of the
 * run time. */
extern unsigned int generation;
#define PORT(name)                                     \
	({                                             \
		static const struct sim_port *port_;   \
		static unsigned int gen_;              \
		if (gen_ != generation) {              \
			port_ = vtb_port(w->tb, name); \
			gen_ = generation;             \
		}                                      \
		port_;                                 \
	})
#define PUT(name, v) vtb_put(PORT(name), v)
#define GET(name) vtb_read(PORT(name))

void hide_init(struct world *w);
struct cairn_qp_cfg hide_cfg(const struct world *w, uint32_t qpn);
void hide_rsp(const struct world *w, uint32_t qpn, struct cairn_qp_rsp *rsp); /* both ways */
/* In each cycle, before the agents: ports that none of them drives then carry anything. */
void hide_idle(struct world *w);
void hide_answers(struct world *w); /* of the MR service */
void hide_reset(struct world *w);
uint32_t plain_qpn(const struct world *w, uint32_t name); /* QPS: nobody's */
uint32_t plain_low(const struct world *w, uint32_t name); /* perhaps only its QPS_LOG2 low bits */
uint32_t owner_of(const struct world *w, uint32_t pd);
/* Where in w->mem. */
#define ANY_FUNC -1
uint64_t plain_iova(struct world *w, uint64_t iova, unsigned int len, int func);

bool chance(struct world *w, unsigned int percent);
/* Reads of receive WQEs, responder resources and atomics are taken; one beat a cycle. */
void read_sample(struct world *w);
void read_drive(struct world *w);
/* MR service. */
void mr_drive(struct world *w);
uint64_t drain_mark(const struct world *w, unsigned int client);
void mr_sample(struct world *w);
void update_drive(struct world *w);
void update_sample(struct world *w);
/* Posted writes of rsp_commit and of atomic_unit. */
void write_sample(struct world *w);
void atomic_write_sample(struct world *w);

#endif
