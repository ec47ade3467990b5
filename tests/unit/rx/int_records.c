// SPDX-License-Identifier: Apache-2.0
/* Places of the members of cairn_int_pkg's records (see int_records.h). */
#include "int_records.h"

struct field meta_fields[] = { RX_META_FIELDS(FIELD_ROW){ 0 } };
struct field job_fields[] = { TX_JOB_FIELDS(FIELD_ROW){ 0 } };
struct field seg_fields[] = { TX_SEG_FIELDS(FIELD_ROW){ 0 } };
struct field rd_fields[] = { DMA_RD_FIELDS(FIELD_ROW){ 0 } };
struct field rsp_fields[] = { DMA_RSP_FIELDS(FIELD_ROW){ 0 } };

static void place(struct field *fields, unsigned int n)
{
	unsigned int lsb = 0;

	for (unsigned int i = n; i-- > 0;) {
		fields[i].lsb = lsb;
		lsb += fields[i].width;
	}
	fields[n].name = "total";
	fields[n].width = lsb;
}

void records_init(void)
{
	place(meta_fields, META_N);
	place(job_fields, JOB_N);
	place(seg_fields, SEG_N);
	place(rd_fields, RD_N);
	place(rsp_fields, RSP_N);
}
