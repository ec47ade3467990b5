// SPDX-License-Identifier: Apache-2.0
/*
 * Firmware: find the image, check it, and have the device read it from memory of ours into the
 * management core's RAM, check length and CRC again and start the core; wait until that takes
 * commands.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "priv.h"

#define IMAGE "cairn_fw.bin"
#ifndef CAIRN_LIBDIR
#define CAIRN_LIBDIR "/usr/local/lib"
#endif

/* Installed, the image is in lib/cairn/; in the build tree in firmware/, a level or two above the
 * directory of library or program. */
static bool beside(const char *file, char *path, size_t size)
{
	static const char *const places[] = { "cairn", "../lib/cairn", "../firmware",
					      "../../firmware", "../../../firmware" };
	const char *slash = strrchr(file, '/');

	for (size_t i = 0; slash && i < sizeof(places) / sizeof(*places); i++) {
		int n = snprintf(path, size, "%.*s/%s/" IMAGE, (int)(slash - file), file,
				 places[i]);

		if (n > 0 && (size_t)n < size && !access(path, R_OK))
			return true;
	}
	return false;
}

/* The image to load: what was asked for, else beside the library, else beside the program, else
 * installed. */
static bool find_image(const char *asked, char *path, size_t size)
{
	char exe[512];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	Dl_info info;

	exe[n > 0 ? n : 0] = 0;
	if (!asked)
		asked = secure_getenv("CAIRN_FIRMWARE");
	if (asked && *asked)
		return (size_t)snprintf(path, size, "%s", asked) < size;
	if (dladdr((void *)(uintptr_t)cairn_fw_start, &info) && info.dli_fname &&
	    beside(info.dli_fname, path, size))
		return true;
	if (beside(exe, path, size))
		return true;
	snprintf(path, size, CAIRN_LIBDIR "/cairn/" IMAGE);
	return !access(path, R_OK);
}

static int read_image(const char *path, uint8_t **image, size_t *len)
{
	FILE *file = fopen(path, "rbe");
	struct stat st;
	int err = 0;

	if (!file)
		return cairn_fail(
			-errno,
			"firmware image %s: %s; set CAIRN_FIRMWARE to the image of this release",
			path, strerror(errno));
	if (fstat(fileno(file), &st) || st.st_size < (off_t)sizeof(struct cairn_fw_header) ||
	    st.st_size > CAIRN_CPU_RAM_BYTES + (off_t)sizeof(struct cairn_fw_header)) {
		err = cairn_fail(-EINVAL,
				 "firmware image %s has a size no image can have; build it again",
				 path);
	} else {
		*len = (size_t)st.st_size;
		*image = malloc(*len);
		if (!*image)
			err = cairn_fail(-ENOMEM, "out of memory for the firmware image");
		else if (fread(*image, 1, *len, file) != *len)
			err = cairn_fail(-EIO, "firmware image %s cannot be read", path);
	}
	fclose(file);
	if (err) {
		free(*image);
		*image = NULL;
	}
	return err;
}

static int check_image(const char *path, const uint8_t *image, size_t len)
{
	struct cairn_fw_header head;

	memcpy(&head, image, sizeof(head));
	if (head.magic != CAIRN_FW_MAGIC)
		return cairn_fail(-EINVAL, "%s is no Cairn firmware image", path);
	if (head.contract != CAIRN_CONTRACT_VERSION)
		return cairn_fail(
			-EPROTO,
			"firmware image %s is for contract %u, this driver for %u; build both from the "
			"same release",
			path, head.contract, CAIRN_CONTRACT_VERSION);
	if (head.length % 4 || head.length != len - sizeof(head))
		return cairn_fail(
			-EINVAL,
			"firmware image %s: %u bytes in its head, %zu in the file; build it again",
			path, head.length, len - sizeof(head));
	if (head.crc != cairn_crc32(image + sizeof(head), head.length))
		return cairn_fail(-EINVAL, "firmware image %s has a wrong CRC; build it again",
				  path);
	return 0;
}

static int write_registers(struct cairn_dev *dev, const struct cairn_fw_header *head, uint64_t iova)
{
	const struct cairn_bus_ops *ops = dev->bus->ops;
	int err = ops->write32(dev->bus, CAIRN_REG_CTRL, 0);

	if (!err)
		err = ops->write64(dev->bus, CAIRN_REG_FW_BASE, iova);
	if (!err)
		err = ops->write32(dev->bus, CAIRN_REG_FW_LEN, head->length);
	if (!err)
		err = ops->write32(dev->bus, CAIRN_REG_FW_CRC, head->crc);
	if (!err)
		err = ops->write32(dev->bus, CAIRN_REG_CTRL, CAIRN_REG_CTRL_CPU_RUN);
	return err ? cairn_fail(err, "the device was lost while its firmware was loaded") : 0;
}

static int wait_ready(struct cairn_dev *dev, const char *path)
{
	const struct cairn_bus_ops *ops = dev->bus->ops;
	uint64_t deadline = ops->now_ns(dev->bus) + dev->timeout_ns;
	unsigned int attempt = 0;

	for (;;) {
		uint32_t status;
		int err = ops->read32(dev->bus, CAIRN_REG_STATUS, &status);

		if (err || status == 0xffffffff)
			return cairn_fail(err ? err : -ENODEV,
					  "the device was lost while its firmware started");
		if (status & CAIRN_REG_STATUS_FW_UNREAD)
			return cairn_fail(
				-EIO,
				"the device could not read firmware image %s from host memory: its reads "
				"fail or are not answered; look at the IOMMU's faults, and reset the slot",
				path);
		if (status & CAIRN_REG_STATUS_FW_BAD)
			return cairn_fail(
				-EIO,
				"the device refuses firmware image %s: damaged on the way, or the core "
				"trapped",
				path);
		if (status & CAIRN_REG_STATUS_FW_READY)
			return 0;
		if (ops->now_ns(dev->bus) > deadline)
			return cairn_fail(-ETIMEDOUT,
					  "firmware %s does not start (STATUS 0x%08x, %llu ms)",
					  path, status,
					  (unsigned long long)(dev->timeout_ns / NS_PER_MS));
		ops->relax(dev->bus, attempt++);
	}
}

/* The memory is given back once the device has read it; if it does not say so, the function is
 * reset before it goes. */
static int load(struct cairn_dev *dev, const uint8_t *image, const char *path)
{
	struct cairn_fw_header head;
	struct cairn_dma mem;
	int err;

	memcpy(&head, image, sizeof(head));
	err = cairn_dma_alloc(dev, head.length, &mem);
	if (err)
		return err;
	memcpy(mem.va, image + sizeof(head), head.length);
	err = write_registers(dev, &head, mem.iova);
	if (!err)
		err = wait_ready(dev, path);
	if (err && !atomic_load(&dev->bus->gone))
		dev->bus->ops->reset(dev->bus);
	cairn_dma_free(dev, &mem);
	return err;
}

int cairn_fw_start(struct cairn_dev *dev, const char *asked)
{
	char path[1024];
	uint8_t *image = NULL;
	uint32_t ctrl = 0;
	size_t len = 0;
	int err;

	if (!find_image(asked, path, sizeof(path))) {
		/* A bitstream may bring its firmware along: its core runs without us. */
		err = dev->bus->ops->read32(dev->bus, CAIRN_REG_CTRL, &ctrl);
		if (!err && ctrl & CAIRN_REG_CTRL_CPU_RUN)
			return wait_ready(dev, "of the bitstream");
		return cairn_fail(
			-ENOENT,
			"no firmware image found: run `make firmware`, or set CAIRN_FIRMWARE");
	}
	err = read_image(path, &image, &len);
	if (!err)
		err = check_image(path, image, len);
	if (!err)
		err = load(dev, image, path);
	free(image);
	return err;
}
