// SPDX-License-Identifier: Apache-2.0
/* The trees of files.h.  One whose root is inside another's comes first. */
#include "files.h"

const struct file_tree *const files_trees[] = {
	&cm_files,	&nic_dev_files, &nic_class_files, &nic_verbs_files, &nic_own_files,
	&nic_pci_files, NULL,
};
