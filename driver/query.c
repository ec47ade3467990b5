// SPDX-License-Identifier: Apache-2.0
/* Questions to an open device that change nothing. */
#include "priv.h"

const char *cairn_dev_name(const struct cairn_dev *dev)
{
	return dev->name;
}

int cairn_query_device(struct cairn_dev *dev, struct cairn_dev_caps *caps)
{
	*caps = dev->caps;
	return 0;
}

static int lost(struct cairn_dev *dev, int err)
{
	return err ? cairn_fail(err, "%s: a register cannot be read: the device is lost", dev->name)
		   : 0;
}

int cairn_query_time(struct cairn_dev *dev, uint64_t *ns)
{
	int err = cairn_dev_alive(dev);

	return err ? err : lost(dev, dev->bus->ops->read64(dev->bus, CAIRN_REG_TIME, ns));
}

int cairn_read_counter(struct cairn_dev *dev, unsigned int index, uint64_t *value)
{
	int err = cairn_dev_alive(dev);

	if (err)
		return err;
	if (index >= CAIRN_COUNTER_COUNT)
		return cairn_refuse(-EINVAL, "counter %u: there are %u", index,
				    CAIRN_COUNTER_COUNT);
	return lost(dev, dev->bus->ops->read64(dev->bus, CAIRN_COUNTER_OFFSET + 8 * index, value));
}

int cairn_read_qp_counter(struct cairn_qp *qp, unsigned int index, uint64_t *value)
{
	struct cairn_dev *dev = qp->dev;
	int err = cairn_dev_alive(dev);

	if (err)
		return err;
	if (index >= CAIRN_COUNTERS || !cairn_counter_of_qp[index])
		return cairn_refuse(-EINVAL, "counter %u: QPs do not have it", index);
	if (!(dev->caps.features & CAIRN_REG_FEATURES_QP_COUNTERS))
		return cairn_refuse(-EOPNOTSUPP, "%s: built without counters of QPs", dev->name);
	pthread_mutex_lock(&dev->select_lock);
	err = dev->bus->ops->write32(dev->bus, CAIRN_REG_QP_SELECT, qp->qpn);
	if (!err)
		err = dev->bus->ops->read64(dev->bus, CAIRN_QP_COUNTER_OFFSET + 8 * index, value);
	pthread_mutex_unlock(&dev->select_lock);
	return lost(dev, err);
}

int cairn_read_reg(struct cairn_dev *dev, uint32_t offset, uint32_t *value)
{
	int err = dev->look ? 0 : cairn_dev_alive(dev);

	if (err)
		return err;
	if (offset % 4 || offset >= CAIRN_BAR0_BYTES)
		return cairn_refuse(-EINVAL, "register offset 0x%x is not inside BAR0", offset);
	err = dev->bus->ops->read32(dev->bus, offset, value);
	return err && dev->look ? cairn_dev_busy(dev) : lost(dev, err);
}

static void give_way(struct cairn_dev *dev, unsigned int attempt)
{
	UNCANCELLED;

	if (!cairn_dev_gone(dev))
		dev->bus->ops->polled(dev->bus, attempt);
}

void cairn_relax(struct cairn_dev *dev, unsigned int attempt)
{
	if (dev->bus->ops->polled)
		give_way(dev, attempt);
	else
		CAIRN_PAUSE();
}
