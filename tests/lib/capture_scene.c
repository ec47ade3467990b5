// SPDX-License-Identifier: Apache-2.0
/* What captures do not show (capture.h): sizes, rights, missing receives, patience. */
#include "capture.h"

enum { REM_INV_REQ = 9, REM_ACCESS = 10, REM_OP = 11, RETRY_EXC = 12, RNR_EXC = 13 }; /* IBV_WC */

static const struct capture_scene scenes[] = {
	{ .file = "err_atomic_bad_rkey", .bad_key = 1, .status = REM_ACCESS },
	{ .file = "err_atomic_mr_noperm", .mr_rights = 7, .status = REM_ACCESS },
	{ .file = "err_atomic_noperm", .qp_rights = 7, .status = REM_INV_REQ },
	{ .file = "err_bad_qpn_retry_exc", .no_qp = true, .status = RETRY_EXC, .retry_cnt = 3 },
	{ .file = "err_read_bad_rkey", .bad_key = 1, .status = REM_ACCESS },
	{ .file = "err_read_mid_oob", .mr_bytes = 1 << 20, .fail = 1, .status = REM_ACCESS },
	{ .file = "err_read_mr_noperm", .mr_rights = 3, .status = REM_ACCESS },
	{ .file = "err_read_noperm", .qp_rights = 3, .status = REM_INV_REQ },
	{ .file = "err_read_oob", .mr_bytes = 576, .status = REM_ACCESS },
	{ .file = "err_rnr_exhausted",
	  .rnr = 100,
	  .rnr_timer = 10,
	  .status = RNR_EXC,
	  .rnr_retry = 2 },
	{ .file = "err_rnr_single", .rnr = 3, .rnr_timer = 26 },
	{ .file = "err_rnr_then_ok", .rnr = 1, .rnr_timer = 26 },
	{ .file = "err_rnr_write_imm", .rnr = 4, .rnr_timer = 26 },
	{ .file = "err_send_inv_bad" },
	{ .file = "err_send_too_long", .recv_bytes = 1000, .status = REM_OP, .unfinished = 976 },
	{ .file = "err_uc_write_bad_rkey", .bad_key = 2 },
	{ .file = "err_ud_bad_qkey", .qkey = 0x11111111 },
	{ .file = "err_ud_bad_qpn", .no_qp = true },
	{ .file = "err_write_bad_rkey", .bad_key = 2, .fail = 1, .status = REM_ACCESS },
	{ .file = "err_write_mr_noperm", .mr_rights = 5, .status = REM_ACCESS },
	{ .file = "err_write_noperm", .qp_rights = 5, .status = REM_INV_REQ },
	{ .file = "err_write_oob", .mr_bytes = 576, .status = REM_ACCESS },
	{ .file = "gx_send_inv", .window = true },
	{ .file = "loss_server_tx_ack", .lost_answers = true },
	{ .file = "loss_server_tx_read", .lost_answers = true, .resumes = true },
	{ .file = "loss_uc_client_tx", .first_psn = 0x100 },
	{ .file = "rping_v4", .app = true },
	{ .file = "rping_v6", .app = true },
};

static const struct capture_scene plain;

const struct capture_scene *capture_scene(const char *name)
{
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		if (!strcmp(scenes[i].file, name))
			return &scenes[i];
	return &plain;
}
