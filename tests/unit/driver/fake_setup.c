// SPDX-License-Identifier: Apache-2.0
/* Starting and stopping the software devices, and their firmware image. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fake_bus.h"
#include "priv.h"

#define IMAGE_BYTES 256u

static char image_path[64];

void fake_write_image(const char *path, uint32_t magic, uint32_t contract, uint32_t length,
		      uint8_t spoil)
{
	struct cairn_fw_header head = { .magic = magic, .contract = contract, .length = length };
	uint8_t payload[IMAGE_BYTES];
	FILE *file = fopen(path, "wb");

	for (unsigned int i = 0; i < sizeof(payload); i++)
		payload[i] = (uint8_t)(i * 7 + 1);
	head.crc = cairn_crc32(payload, sizeof(payload));
	payload[100] ^= spoil;
	if (!file || fwrite(&head, sizeof(head), 1, file) != 1 ||
	    fwrite(payload, sizeof(payload), 1, file) != 1)
		perror(path);
	if (file)
		fclose(file);
}

static void caps_init(struct cairn_dev_caps *caps)
{
	*caps = (struct cairn_dev_caps){
		.fw_version = 0x10000,
		.features = 0xfff,
		.max_qp = 1024,
		.max_qp_wr = 1u << CAIRN_MAX_RING_LOG2,
		.max_cq = 512,
		.max_cqe = 1u << CAIRN_MAX_RING_LOG2,
		.max_mr = 2048,
		.max_pd = 1024,
		.max_srq = 256,
		.max_srq_wr = 1u << CAIRN_MAX_RING_LOG2,
		.max_eq = 32,
		.max_sge = CAIRN_MAX_SGE,
		.max_inline = CAIRN_MAX_INLINE,
		.max_rd_atomic = 16,
		.max_dest_rd_atomic = 16,
		.max_msg = CAIRN_MAX_MSG_BYTES,
		.page_sizes = 1 << 12 | 1 << 21,
		.max_mr_size = 1ull << 40,
		.db_pages = 16,
		.max_gid = 64,
		.max_pkey = 1,
		.qpn_first = 2,
		.max_mtt = 65536,
		.hca_clock_khz = 1000000,
		.max_mw = 2047,
		.max_ah = 65536,
		.max_mcast_grp = 16,
		.cq_moderation = 0xffffffff,
	};
}

void fake_start(void)
{
	snprintf(image_path, sizeof(image_path), "/tmp/cairn-fake-fw-%d.bin", (int)getpid());
	fake_write_image(image_path, CAIRN_FW_MAGIC, CAIRN_CONTRACT_VERSION, IMAGE_BYTES, 0);
	setenv("CAIRN_FIRMWARE", image_path, 1);
	for (unsigned int i = 0; i < FAKE_DEVICES; i++) {
		struct fake *f = &fakes[i];

		memset(f, 0, sizeof(*f));
		pthread_mutex_init(&f->lock, NULL);
		f->rng.state = test_seed() + i;
		f->id = (uint32_t)(CAIRN_PUT(CAIRN_REG_ID_MAGIC, CAIRN_CONTRACT_MAGIC) |
				   CAIRN_PUT(CAIRN_REG_ID_VERSION, CAIRN_CONTRACT_VERSION));
		f->fw_status = CAIRN_REG_STATUS_FW_READY | CAIRN_REG_STATUS_LINK_UP;
		f->fail_command = f->drop_command = f->map_error = f->die_at = FAKE_NEVER;
		f->port = (struct cairn_port_attr){
			.state = 4, .max_mtu = 5, .active_mtu = 5, .gbps = 10,
			.flags = CAIRN_PORT_FLAG_LOOP
		};
		caps_init(&f->caps);
	}
	cairn_bus_register(&fake_bus_ops);
}

unsigned int fake_stop(void)
{
	unsigned int errors = 0;

	cairn_bus_unregister(&fake_bus_ops);
	unlink(image_path);
	for (unsigned int i = 0; i < FAKE_DEVICES; i++) {
		if (fakes[i].open)
			fake_error(&fakes[i], "device %u is still open", i);
		errors += fakes[i].errors;
		pthread_mutex_destroy(&fakes[i].lock);
	}
	return errors;
}
