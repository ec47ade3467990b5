/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files of our NICs are (nic_files.c), and what they are called (nic_names.c). */
#ifndef NIC_NAMES_H
#define NIC_NAMES_H

#define CLASS "/sys/class/infiniband"
#define VERBS_CLASS "/sys/class/infiniband_verbs"
#define OWN "/sys/devices/cairn"

#endif
