// SPDX-License-Identifier: Apache-2.0
/* In here the functions of the C library are the system's; and what is held back meanwhile. */
#include "files_priv.h"

__thread unsigned int files_hidden __attribute__((tls_model("initial-exec")));

void files_hide(void)
{
	files_hidden++;
}

void files_show(void)
{
	files_hidden--;
}

struct files_inside files_enter(void)
{
	struct files_inside inside = { .error = errno };
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &inside.signals);
	inside.cancel = cairn_cancel_off();
	files_hide();
	return inside;
}

void files_leave(const struct files_inside *inside)
{
	files_show();
	cairn_cancel_as_before(&inside->cancel);
	pthread_sigmask(SIG_SETMASK, &inside->signals, NULL);
	errno = inside->error;
}
