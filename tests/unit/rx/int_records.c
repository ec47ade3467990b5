// SPDX-License-Identifier: Apache-2.0
/* Members of records of rtl/hw/int.def (see int_records.h). */
#include "int_records.h"

#define ROW(n, path, at, w) { #n, w, at },
#define TABLE(NAME) { REC_##NAME##_FIELDS(ROW){ "total", REC_##NAME##_W, 0 } }

const struct field meta_fields[] = TABLE(RX_META);
const struct field job_fields[] = TABLE(TX_JOB);
const struct field seg_fields[] = TABLE(TX_SEG);
const struct field rd_fields[] = TABLE(DMA_RD);
const struct field rsp_fields[] = TABLE(DMA_RSP);
