// SPDX-License-Identifier: Apache-2.0
/*
 * Event channels: descriptors that programs have, and what is behind them.  A descriptor is known
 * by its number and, since it may be closed in ways that we do not see, by the inode of its socket.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../files_priv.h"
#include "ucma.h"

pthread_mutex_t ucma_command_lock = PTHREAD_MUTEX_INITIALIZER;
/* The list itself, innermost of all: any close() of the process may look into it.  Who changes it
 * has cm_lock too. */
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ucma_file *files;
static struct ucma_file *inherited; /* of the process that forked this one */

/* The C library's: ours asks whether it is a channel. */
static int real_fstat(int fd, struct stat *st)
{
	int (*next)(int, struct stat *) = NEXT(fstat);

	return next(fd, st);
}

static void port_lost(struct port *port)
{
	for (struct ucma_file *file = files; file; file = file->next)
		for (struct ucma_id *id = file->ids; id; id = id->next)
			if (id->port == port)
				ucma_post(id, UCMA_DEVICE_REMOVAL, 0);
}

static void forked(void)
{
	struct ucma_file **end = &inherited;

	pthread_mutex_init(&ucma_command_lock, NULL);
	pthread_mutex_init(&cm_lock, NULL);
	pthread_mutex_init(&files_lock, NULL);
	while (*end)
		end = &(*end)->next;
	*end = files;
	files = NULL;
	ucma_ids_forked();
}

static const struct port_client client = {
	.request = ucma_request,
	.lost = port_lost,
	.forked = forked,
};

int ucma_open(void)
{
	struct ucma_file *file = calloc(1, sizeof(*file));
	int err = file ? event_queue_init(&file->queue) : ENOMEM;
	struct stat st = { 0 };

	if (err) {
		free(file);
		errno = err;
		return -1;
	}
	file->fd = file->queue.fd;
	real_fstat(file->fd, &st);
	file->inode = st.st_ino;
	pthread_mutex_lock(&cm_lock);
	port_serve(&client);
	pthread_mutex_lock(&files_lock);
	file->next = files;
	files = file;
	pthread_mutex_unlock(&files_lock);
	pthread_mutex_unlock(&cm_lock);
	return file->fd;
}

void ucma_file_release(struct ucma_file *file)
{
	struct ucma_file **at = &files;

	if (!file->closed || file->calls)
		return;
	pthread_mutex_lock(&files_lock);
	while (*at != file)
		at = &(*at)->next;
	*at = file->next;
	pthread_mutex_unlock(&files_lock);
	while (file->ids) {
		struct ucma_id *id = file->ids;

		ucma_disown(id);
		ucma_id_free(id);
	}
	file->queue.fd = -1; /* the program's, which has closed it */
	event_queue_destroy(&file->queue);
	free(file);
}

/* Is that descriptor still the socket that we gave? */
static struct ucma_file *find_file(struct ucma_file *list, int fd)
{
	struct stat st;

	for (; list; list = list->next)
		if (list->fd == fd && !list->closed)
			return !real_fstat(fd, &st) && st.st_ino == list->inode ? list : NULL;
	return NULL;
}

bool ucma_is_channel(int fd)
{
	bool is;

	pthread_mutex_lock(&files_lock);
	is = find_file(files, fd) || find_file(inherited, fd);
	pthread_mutex_unlock(&files_lock);
	return is;
}

struct ucma_file *ucma_file_of(int fd)
{
	return find_file(files, fd);
}

void ucma_close(int fd)
{
	struct ucma_file *file;
	UNCANCELLED;

	pthread_mutex_lock(&ucma_command_lock);
	pthread_mutex_lock(&cm_lock);
	file = find_file(files, fd);
	if (file) {
		event_queue_lose(&file->queue); /* who waits in there ends */
		file->closed = true;
		ucma_file_release(file);
	}
	file = find_file(inherited, fd);
	if (file)
		file->closed = true;
	port_kick();
	pthread_mutex_unlock(&cm_lock);
	pthread_mutex_unlock(&ucma_command_lock);
}

void ucma_exit(void)
{
	struct port *port = NULL;

	if (pthread_mutex_trylock(&ucma_command_lock))
		return; /* exit() in the middle of a command */
	pthread_mutex_lock(&cm_lock);
	for (struct ucma_file *file = files; file; file = file->next)
		for (struct ucma_id *id = file->ids; id; id = id->next)
			ucma_disown(id);
	while ((port = port_next(port))) {
		port_hold(port);
		pthread_mutex_unlock(&cm_lock);
		mad_drain(port);
		pthread_mutex_lock(&cm_lock);
	}
	pthread_mutex_unlock(&cm_lock);
	pthread_mutex_unlock(&ucma_command_lock);
}
