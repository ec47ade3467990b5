// SPDX-License-Identifier: Apache-2.0
/* Doorbell pages: 4 KiB of BAR2 each; an object answers only to the page it was created with. */
#include "priv.h"

int cairn_alloc_db(struct cairn_dev *dev, struct cairn_db **out)
{
	struct cairn_bus *bus = dev->bus;
	struct cairn_db *db;
	int64_t page;
	int err = cairn_dev_alive(dev);

	if (err)
		return err;
	db = calloc(1, sizeof(*db));
	if (!db)
		return cairn_refuse(-ENOMEM, "out of memory for a doorbell page");
	page = cairn_space_take(&dev->dbs, 1);
	if (page < 0) {
		free(db);
		return cairn_refuse(-ENOSPC, "all %u doorbell pages are in use",
				    dev->caps.db_pages);
	}
	db->page = (uint32_t)page;
	db->offset = db->page * CAIRN_DB_PAGE_BYTES;
	db->map = bus->db_map ? bus->db_map + db->offset : NULL;
	db->bus = bus;
	db->ops = bus->ops;
	*out = db;
	return 0;
}

void cairn_free_db(struct cairn_dev *dev, struct cairn_db *db)
{
	if (!db || atomic_load(&dev->forked))
		return;
	cairn_space_give(&dev->dbs, db->page, 1);
	free(db);
}
