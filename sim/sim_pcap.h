/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capture files: classic pcap, nanosecond stamps, link type Ethernet, no FCS.  Device time 0 is the
 * epoch.  A file by port is pcapng instead: an interface for each port, and each frame says whether
 * it left the port or reached it, and whether with a good FCS.
 */
#ifndef CAIRN_SIM_PCAP_H
#define CAIRN_SIM_PCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_pcap;
struct sim_pcap_reader;

/* NULL: errno says why. */
struct sim_pcap *sim_pcap_create(const char *path);
/*
 * A file by port (pcapng), with the interfaces nic0 .. nic(nics - 1), if has_peer, peer, and behind
 * them loop0 .. loop(nics - 1): what each NIC loops inside.  NULL: errno says why.
 */
struct sim_pcap *sim_pcap_create_ports(const char *path, unsigned int nics, bool has_peer);
void sim_pcap_write_port(struct sim_pcap *pcap, uint64_t ns, unsigned int port, bool inbound,
			 bool bad_fcs, const void *frame, uint32_t len);
/* A comment between the frames of a file by port, as a statistics block of its first interface. */
void sim_pcap_note(struct sim_pcap *pcap, uint64_t ns, const char *text);
/* A write error is remembered; sim_pcap_close() returns it. */
void sim_pcap_write(struct sim_pcap *pcap, uint64_t ns, const void *frame, uint32_t len);
/* -errno of the first failed write, or 0: what is buffered may still fail. */
int sim_pcap_error(const struct sim_pcap *pcap);
/* 0, or -errno of the first failed write. */
int sim_pcap_flush(struct sim_pcap *pcap);
int sim_pcap_close(struct sim_pcap *pcap);

/*
 * Reads either byte order and microsecond or nanosecond stamps.  NULL: errno says why (EPROTO: no
 * pcap file, or not of Ethernet).
 */
struct sim_pcap_reader *sim_pcap_open(const char *path);
/*
 * 1: next frame, valid until the next call; 0: end of file; -EPROTO: damaged or cut short.  len is
 * what was captured, wire_len what was on the wire.
 */
int sim_pcap_next(struct sim_pcap_reader *reader, uint64_t *ns, const uint8_t **frame,
		  uint32_t *len, uint32_t *wire_len);
void sim_pcap_reader_close(struct sim_pcap_reader *reader);

#endif
