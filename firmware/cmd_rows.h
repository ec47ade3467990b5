/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of rtl/hw/hw.def for cmd.h and cmd_table.c.  Generated from it by hwgen (make hw): do not edit. */
#ifndef CAIRN_FW_CMD_ROWS_H
#define CAIRN_FW_CMD_ROWS_H

#include "job.h"

/* The handlers. */
enum fw_run cmd_query_device(struct job *job);
enum fw_run cmd_setup_table(struct job *job);
enum fw_run cmd_enable(struct job *job);
enum fw_run cmd_disable(struct job *job);
enum fw_run cmd_query_port(struct job *job);
enum fw_run cmd_set_port(struct job *job);
enum fw_run cmd_set_gid(struct job *job);
enum fw_run cmd_set_db_pages(struct job *job);
enum fw_run cmd_resolve(struct job *job);
enum fw_run cmd_create_eq(struct job *job);
enum fw_run cmd_destroy_eq(struct job *job);
enum fw_run cmd_pd(struct job *job);
enum fw_run cmd_create_cq(struct job *job);
enum fw_run cmd_destroy_cq(struct job *job);
enum fw_run cmd_resize_cq(struct job *job);
enum fw_run cmd_modify_cq(struct job *job);
enum fw_run cmd_query_cq(struct job *job);
enum fw_run cmd_create_srq(struct job *job);
enum fw_run cmd_modify_srq(struct job *job);
enum fw_run cmd_query_srq(struct job *job);
enum fw_run cmd_destroy_srq(struct job *job);
enum fw_run cmd_reg_mr(struct job *job);
enum fw_run cmd_dereg_mr(struct job *job);
enum fw_run cmd_query_mr(struct job *job);
enum fw_run cmd_alloc_mw(struct job *job);
enum fw_run cmd_dealloc_mw(struct job *job);
enum fw_run cmd_create_qp(struct job *job);
enum fw_run cmd_modify_qp(struct job *job);
enum fw_run cmd_query_qp(struct job *job);
enum fw_run cmd_destroy_qp(struct job *job);
enum fw_run cmd_mcast(struct job *job);

/* By number: struct cmd_info. */
#define CMD_INFOS \
	[CAIRN_CMD_OP_NOP] = { .run = NULL, .state = CMD_ALWAYS }, \
	[CAIRN_CMD_OP_QUERY_DEVICE] = { .run = cmd_query_device, .out_bytes = sizeof(struct cairn_dev_caps), .state = CMD_ALWAYS }, \
	[CAIRN_CMD_OP_SETUP_TABLE] = { .run = cmd_setup_table, .state = CMD_BEFORE_ENABLE, .number = 1, .ptr = 1, .args = 1 }, \
	[CAIRN_CMD_OP_ENABLE] = { .run = cmd_enable, .state = CMD_BEFORE_ENABLE }, \
	[CAIRN_CMD_OP_DISABLE] = { .run = cmd_disable, .state = CMD_ALWAYS }, \
	[CAIRN_CMD_OP_QUERY_PORT] = { .run = cmd_query_port, .out_bytes = sizeof(struct cairn_port_attr), .state = CMD_ALWAYS }, \
	[CAIRN_CMD_OP_SET_PORT] = { .run = cmd_set_port, .state = CMD_ALWAYS, .args = 1, .feature = CAIRN_REG_FEATURES_LOOP }, \
	[CAIRN_CMD_OP_SET_GID] = { .run = cmd_set_gid, .state = CMD_ALWAYS, .number = 1, .flags = CAIRN_GID_FLAG_VALID, .args = 3 }, \
	[CAIRN_CMD_OP_SET_DB_PAGES] = { .run = cmd_set_db_pages, .state = CMD_ENABLED, .number = 1, .flags = 3, .args = 2, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_RESOLVE] = { .run = cmd_resolve, .state = CMD_ENABLED, .number = 1, .args = 2 }, \
	[CAIRN_CMD_OP_CREATE_EQ] = { .run = cmd_create_eq, .state = CMD_ALWAYS, .number = 1, .ptr = 1, .args = 3 }, \
	[CAIRN_CMD_OP_DESTROY_EQ] = { .run = cmd_destroy_eq, .state = CMD_ALWAYS, .number = 1 }, \
	[CAIRN_CMD_OP_ALLOC_PD] = { .run = cmd_pd, .state = CMD_ENABLED, .number = 1 }, \
	[CAIRN_CMD_OP_DEALLOC_PD] = { .run = cmd_pd, .state = CMD_ENABLED, .number = 1 }, \
	[CAIRN_CMD_OP_CREATE_CQ] = { .run = cmd_create_cq, .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_DESTROY_CQ] = { .run = cmd_destroy_cq, .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_RESIZE_CQ] = { .run = cmd_resize_cq, .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_MODIFY_CQ] = { .run = cmd_modify_cq, .state = CMD_ENABLED, .number = 1, .args = 2, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_QUERY_CQ] = { .run = cmd_query_cq, .out_bytes = sizeof(struct cairn_cq_ctx), .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_CREATE_SRQ] = { .run = cmd_create_srq, .state = CMD_ENABLED, .number = 1, .args = 6, .feature = CAIRN_REG_FEATURES_SRQ }, \
	[CAIRN_CMD_OP_MODIFY_SRQ] = { .run = cmd_modify_srq, .state = CMD_ENABLED, .number = 1, .args = 1, .feature = CAIRN_REG_FEATURES_SRQ }, \
	[CAIRN_CMD_OP_QUERY_SRQ] = { .run = cmd_query_srq, .out_bytes = sizeof(struct cairn_srq_ctx), .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_SRQ }, \
	[CAIRN_CMD_OP_DESTROY_SRQ] = { .run = cmd_destroy_srq, .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_SRQ }, \
	[CAIRN_CMD_OP_REG_MR] = { .run = cmd_reg_mr, .state = CMD_ENABLED, .number = 1, .flags = CAIRN_MR_FLAG_ALLOC, .args = 5, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_DEREG_MR] = { .run = cmd_dereg_mr, .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_QUERY_MR] = { .run = cmd_query_mr, .out_bytes = sizeof(struct cairn_mpt), .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_ALLOC_MW] = { .run = cmd_alloc_mw, .state = CMD_ENABLED, .number = 1, .args = 2, .feature = CAIRN_REG_FEATURES_MW }, \
	[CAIRN_CMD_OP_DEALLOC_MW] = { .run = cmd_dealloc_mw, .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_MW }, \
	[CAIRN_CMD_OP_CREATE_QP] = { .run = cmd_create_qp, .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_MODIFY_QP] = { .run = cmd_modify_qp, .state = CMD_ENABLED, .number = 1, .args = 1, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_QUERY_QP] = { .run = cmd_query_qp, .out_bytes = sizeof(struct cairn_qp_attr), .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_DESTROY_QP] = { .run = cmd_destroy_qp, .state = CMD_ENABLED, .number = 1, .feature = CAIRN_REG_FEATURES_RC | CAIRN_REG_FEATURES_UC | CAIRN_REG_FEATURES_UD }, \
	[CAIRN_CMD_OP_ATTACH_MCAST] = { .run = cmd_mcast, .state = CMD_ENABLED, .number = 1, .args = 2, .feature = CAIRN_REG_FEATURES_MCAST }, \
	[CAIRN_CMD_OP_DETACH_MCAST] = { .run = cmd_mcast, .state = CMD_ENABLED, .number = 1, .args = 2, .feature = CAIRN_REG_FEATURES_MCAST },

/* Those that have a number and no handler yet. */
#define CMD_RESERVED \
	case CAIRN_CMD_OP_CREATE_AH: \
	case CAIRN_CMD_OP_SET_CONG: \
	case CAIRN_CMD_OP_QUERY_CONG:

#endif
