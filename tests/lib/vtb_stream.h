/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream agents of the testbench: a source drives a stream into the model, a sink takes one from
 * it.
 *
 * A stream is the ports <name>_valid, _ready, _data, _nbytes, _last, _err, _meta (with _i or _o);
 * all but valid are optional.  Without _ready the stream cannot be stopped; without _last each beat
 * is a packet; without _data a packet is one beat of _meta alone (a command stream).  A record that
 * is a port <name> itself stands for _meta.  Further
 * sideband ports, <name>_<field>, are taken in with vtb_stream_add().  Packet byte 0 is data[7:0].
 *
 * A source puts random bits on everything that must not be read: payload while valid is low, bytes
 * past nbytes, nbytes and err before the last beat.  A sink checks in every cycle that valid stays
 * and the payload keeps still until the beat is taken, that nbytes of a last beat is 1 to the full
 * width, and, every few cycles, that neither valid nor payload depends on ready.
 */
#ifndef CAIRN_VTB_STREAM_H
#define CAIRN_VTB_STREAM_H

#define VTB_META_BYTES 256 /* _meta up to 2048 bits */

struct vtb_packet {
	uint8_t *data;
	size_t len;
	bool err;
	uint8_t meta[VTB_META_BYTES];	   /* from the first beat, little-endian bits of the port */
	uint8_t meta_last[VTB_META_BYTES]; /* from the last beat */
	uint64_t first_cycle, last_cycle;  /* tb->cycle when first and last beat moved */
	size_t beats;
};

/* <name> must have a _valid input (source) or output (sink) on the model. */
struct vtb_stream *vtb_source(struct vtb *tb, const char *name);
struct vtb_stream *vtb_sink(struct vtb *tb, const char *name);

/* Also carry port <name>_<field>: its bits follow in meta, after those taken so far, at *lsb. */
void vtb_stream_add(struct vtb_stream *s, const char *field, unsigned int *lsb);

/* Percent of the cycles in which a source starts no beat, or a sink is not ready.  0 at first; 100
 * stops. */
void vtb_stream_pause(struct vtb_stream *s, unsigned int percent);

/* Source: queue a packet (copied).  meta may be NULL (zeros);
 * len 0 only for a stream without data. */
void vtb_send(struct vtb_stream *s, const void *data, size_t len, bool err, const void *meta,
	      size_t meta_len);
/* Source: queue one beat of a data stream without nbytes and last, or of a command stream (into
 * meta). */
void vtb_send_word(struct vtb_stream *s, uint64_t word);
/* Source: packets queued or partly sent. */
size_t vtb_pending(const struct vtb_stream *s);

/* Sink: complete packets waiting. */
size_t vtb_received(const struct vtb_stream *s);
/* Sink: take the oldest packet; fails the test if there is none.  Valid until the next call for
 * this sink. */
const struct vtb_packet *vtb_recv(struct vtb_stream *s);
/* Sink: the same for a stream of single beats: data (or, without data, meta) as a number. */
uint64_t vtb_recv_word(struct vtb_stream *s);
/* Up to 64 bits of a received meta. */
uint64_t vtb_meta_bits(const uint8_t *meta, unsigned int lsb, unsigned int width);
void vtb_meta_put(uint8_t *meta, unsigned int lsb, unsigned int width, uint64_t value);

/*
 * Both: every beat that moved since creation or vtb_stamps_clear(), with its cycle, so that a test
 * can assert an initiation interval: vtb_max_gap() is the largest distance between neighbours among
 * beats from..to.
 */
size_t vtb_beats(const struct vtb_stream *s);
uint64_t vtb_beat_cycle(const struct vtb_stream *s, size_t index);
uint64_t vtb_max_gap(const struct vtb_stream *s, size_t from, size_t to);
void vtb_stamps_clear(struct vtb_stream *s);

#endif
