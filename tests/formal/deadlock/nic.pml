/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may wait for whom: a model of the queues of docs/deadlock.md, checked exhaustively by spin
 * (tests/formal/deadlock/check).  A process is a stage, a channel a queue with its back-pressure;
 * sizes are as small as keeps the shape.  What is inside a packet does not matter here, what it
 * needs does: any cache may miss (MISSES times in all), any host read may fail (BADS times), host and
 * wire may be as slow as they like.
 *
 * A run is finite: PACKETS arrive, QPS x 2 are sent.  Checked: whenever nothing moves any more
 * everything has been consumed, answered and given back (process Done); no park buffer or record of
 * failures overflows (assertions); no cycle (nothing goes round for ever).
 *
 * Parts, chosen with -D: RESPONDER (WRITES, READS, ATOMICS, SENDINVS), COMPLETER, REQUESTER, BAR, FENCE, LOOP
 * (of what leaves, some goes to ourselves).  Each other -D plants a wait that must be found.
 * "rtl:" says which module and port an edge is; the check looks whether they exist.
 */
#ifndef PACKETS
#define PACKETS 3
#endif
#ifndef INFLIGHT
#define INFLIGHT 2 /* rtl: receive/qp_lookup.sv INFLIGHT */
#endif
#ifdef SMALL_PARK
#define PARK 1
#else
#define PARK INFLIGHT /* rtl: receive/responder/rsp_join.sv ENTRIES */
#endif
#define AT_OPS 1  /* rtl: receive/atomic/atomic_unit.sv DEPTH */
#define RING 1	   /* rtl: tx/tx_ring.sv JOBS */
#define QPS 3
#ifndef BADS
#define BADS 1
#endif
#ifndef MISSES
#define MISSES 1
#endif
#ifndef HOST_READS
#define HOST_READS 2 /* more than BARS: more than a host may have outstanding */
#endif
#define BARS 1	   /* rtl: host/bar_cpl.sv DEPTH */
#ifndef LOOPS
#define LOOPS 2
#endif
#ifdef SMALL_COPY
#define COPY 1
#else
#define COPY 2 /* beats of a frame; rtl: rx/rx_merge.sv LONGEST */
#endif
#ifdef FEW_REQ_ERRORS
#define FAILURES 1
#else
#define FAILURES QPS /* rtl: send/requester/req_txerr.sv QPS_LOG2 */
#endif

mtype = { WRITE, READ, ATOMIC, SENDINV, KEYFIRST, INVED, PART, END, BACK, FILL, VALUE, PAYLOAD0, PAYLOAD1, RECORD, REGISTER };

byte inflight;	     /* packets past qp_lookup; rtl: receive/qp_lookup.sv rx_done_i */
byte parked, misses, bads, failures, unsent;
byte owed_reads, owed_atomics;
bool owed_ack, halted;
byte arrived, sent, events = 1; /* rtl: state/cq/eqe_write.sv eqe_ready_o */
byte lock;	     /* dma_wr_arbiter: whose packet is unfinished; rtl: dma/dma_wr_arbiter.sv accept_o */

chan rsp_pkt = [1] of { mtype }; /* rtl: receive/rx_dispatch.sv rsp_ready_i */
chan cmp_pkt = [1] of { bit };	 /* rtl: receive/rx_dispatch.sv cmp_ready_i */
chan rec = [1] of { mtype };	 /* rtl: receive/responder/rsp_join.sv out_ready_i */
chan missed = [PARK] of { mtype };
chan wake = [PARK] of { mtype }; /* rtl: lib/park_buffer.sv drain_ready_o */
chan ev = [0] of { bit };	 /* rtl: receive/responder/rsp_commit.sv ev_ready_o */
chan told = [PARK] of { bit };	 /* rtl: receive/responder/rsp_inv.sv told_i */
bool in_commit, in_visit;
chan at = [AT_OPS] of { bit };	 /* rtl: receive/responder/rsp_commit.sv at_ready_i */
chan ring1 = [RING] of { bit };	 /* rtl: tx/tx_payload.sv rsp_job_ready_o */
#ifdef RSP_ERRORS_WAIT
chan err1 = [0] of { bit };	 /* rtl: receive/responder/rsp_tx.sv tx_err_ready_o */
#else
chan err1 = [RING + 1] of { bit };
#endif
chan ring0 = [RING + 1] of { byte }; /* rtl: tx/tx_payload.sv requests_ready_o.job */
chan ack = [1] of { bit };	 /* rtl: tx/tx_arbiter.sv ack_ready_o */
chan out = [1] of { bit };	 /* rtl: tx/tx_arbiter.sv ring_ready_o */
chan place = [1] of { bit };	 /* rtl: send/completer/cmp_packet.sv place_room_i */
chan cev = [0] of { bit };	 /* rtl: send/completer/cmp_packet.sv ev_ready_o */
chan prog = [0] of { bit };	 /* rtl: send/completer/cmp_join.sv prog_ready_i */
chan cqe = [1] of { bit };	 /* rtl: state/cq/cqe_write.sv cqe_ready_o */
chan report = [1] of { bit };	 /* rtl: host/dev_mmio.sv fw_event_ready_o */
chan wr = [1] of { mtype };	 /* rtl: dma/dma_write.sv wr_ready_o */
chan down = [1] of { mtype };	 /* rtl: host/tlp_rx.sv rx_ready_o */
chan ops = [1] of { bit };	 /* rtl: host/tlp_rx.sv op_ready_i */
chan answers = [BARS] of { bit }; /* rtl: host/bar_access.sv ans_ready_i */

/* Completions are always taken: who asked has room.  rtl: dma/dma_rd_cpl.sv cpl_ready_o */
byte reads[12], data[12];
bool back_sent;
#ifdef BAR
#define GIVE(what) down!what
#else
#define GIVE(what) data[what]++
#endif

#define MAY_WRITE(me) ((lock == 0 || lock == me) && nfull(wr))
inline post(me, what) /* one command, complete in itself or the last of its packet */
{
	atomic { MAY_WRITE(me) -> wr!what; lock = 0; unsent++ }
}
inline post_part(me)
{
	atomic { MAY_WRITE(me) -> wr!PART; lock = me; unsent++ }
}
inline fetch(what)
{
	reads[what]++; /* rtl: dma/dma_read.sv rd_ready_o */
	atomic { data[what] > 0 -> data[what]-- }
}
/* The read of this may fail; `bad` then. */
inline judge(bad)
{
	bad = false;
	if
	:: bads < BADS -> atomic { bads++; bad = true }
	:: true -> skip
	fi
}

/* ---------------------------------------------------------------- host and PCIe */

active proctype Posted() /* dma_write, tlp_tx class P, host: in order */
{
	mtype w;
end:	do
	:: wr?w ->
#ifdef WRITE_NEEDS_READ
		if
		:: w == END -> fetch(RECORD)
		:: else -> skip
		fi;
#endif
		if
		:: w == BACK -> back_sent = true
		:: else -> skip
		fi;
		atomic { w = WRITE; unsent-- }
	od
}

active proctype Completions() /* dma_read, tlp_tx class N, host: in any order */
{
end:	do
	:: atomic { reads[FILL] > 0 -> reads[FILL]--; GIVE(FILL) }
	:: atomic { reads[VALUE] > 0 -> reads[VALUE]--; GIVE(VALUE) }
	:: atomic { reads[PAYLOAD0] > 0 -> reads[PAYLOAD0]--; GIVE(PAYLOAD0) }
	:: atomic { reads[PAYLOAD1] > 0 -> reads[PAYLOAD1]--; GIVE(PAYLOAD1) }
	:: atomic { reads[RECORD] > 0 -> reads[RECORD]--; GIVE(RECORD) }
	od
}

#ifdef BAR
active proctype TlpRx() /* completions and register accesses come in one order */
{
	mtype t;
end:	do
	:: down?t ->
		if
		:: t == REGISTER -> ops!true
		:: else -> data[t]++
		fi;
		t = WRITE
	od
}
active proctype HostReads() 
{
	byte n;
	do
	:: n < HOST_READS -> n++; down!REGISTER
	:: n == HOST_READS -> break
	od
}
active proctype Registers()
{
end:	do
	:: ops?true -> answers!true
	od
}
active proctype RegisterAnswers() /* behind the posted writes; rtl: host/bar_cpl.sv sent_ticket_i */
{
end:	do
	:: answers?[true] -> unsent == 0; answers?true
	od
}
#endif

active proctype Cqe()
{
end:	do
	:: cqe?true ->
		if
		:: misses < MISSES -> misses++; fetch(RECORD)
		:: true -> skip
		fi;
		post(3, END);
		if
		:: events > 0 -> events--; post(4, END) /* eqe_write, msix */
		:: true -> skip
		fi
	od
}

#define UNDER_WAY (inflight > 0 || len(ring1) > 0 || len(err1) > 0) /* rtl: receive/rdma_receive.sv idle_o */
active proctype Firmware() /* takes reports whatever else it waits for; a fence waits for packets */
{
	bool fenced;
end:	do
	:: report?true
#ifdef FENCE
#ifdef FENCE_BEFORE_REPORTS
	:: !fenced && UNDER_WAY -> fenced = true; halted = true; !UNDER_WAY; halted = false
#else
	:: atomic { !fenced && UNDER_WAY -> fenced = true; halted = true }
	:: halted && !UNDER_WAY -> halted = false
#endif
#endif
	od
}

/* ---------------------------------------------------------------- wire */

active proctype WireIn()
{
	mtype k;
	do
	:: arrived < PACKETS && inflight < INFLIGHT && !halted ->
		atomic { arrived++; inflight++ };
		if
#ifdef WRITES
		:: k = WRITE
#endif
#ifdef READS
		:: k = READ
#endif
#ifdef ATOMICS
		:: k = ATOMIC
#endif
#ifdef SENDINVS
		:: k = SENDINV
#endif
#ifdef COMPLETER
		:: k = END
#endif
		:: PACKETS == 0 -> skip
		fi;
		if
		:: k == END -> cmp_pkt!true
		:: else -> rsp_pkt!k
		fi
	:: arrived == PACKETS -> break
	od
}

#ifdef LOOP
chan loop = [0] of { bit };    /* rtl: rx/rx_merge.sv loop_ready_o */
chan copy = [COPY] of { bit }; /* beats of a frame that goes both ways; rtl: rx/rx_merge.sv loop_both_i */
bool pooled;		       /* the receive pool is full; rtl: rx/rx_buffer.sv events_o.rx_no_buffer */
byte loops;

inline leave() /* the frames of all kinds, in order: out, back or both */
{
	if
	:: loops < LOOPS -> loops++; loop!true
	:: loops < LOOPS -> loops++; copy!true; copy!true
	:: true -> skip
	fi
}

active proctype Merge() /* rx_merge; the wire's frames hold it up for their own length only */
{
end:	do
#ifdef LOOP_WAITS_FOR_ROOM
	:: atomic { !pooled -> loop?true; pooled = true }
#else
	:: loop?true -> pooled = true /* or it was: dropped */
#endif
	:: atomic { len(copy) == 2 -> copy?true; copy?true; pooled = true }
	od
}

active proctype Own() /* a packet of ours past qp_lookup, which stands still for a fence */
{
end:	do
	:: atomic { pooled && !halted && inflight < INFLIGHT -> pooled = false; inflight++ }; inflight--
	od
}
#else
#define leave() skip
#endif

active proctype WireOut() /* tx_arbiter, tx_builder, MAC */
{
end:	do
#ifdef ACK_HOLDS_RX
	:: atomic { ack?[true] && inflight == 0 -> ack?true }
#else
	:: ack?true -> leave()
#endif
	:: out?true -> leave()
	od
}

/* ---------------------------------------------------------------- responder */

#ifdef RESPONDER
active proctype Join() /* rsp_check, rsp_walk, rsp_join */
{
	mtype k;
end:	do
	:: rsp_pkt?k ->
		if
		:: misses < MISSES -> /* later ones of its QP would wait too */
			atomic { misses++; parked++ };
			assert(parked <= PARK && nfull(missed));
			missed!k
		:: true ->
			if
			:: k == SENDINV -> parked++; rec!KEYFIRST
			:: else -> rec!k
			fi
		fi;
		k = WRITE
	:: wake?k ->
		if
		:: k == SENDINV -> rec!KEYFIRST
		:: else -> rec!k; parked--
		fi;
		k = WRITE
	od
}

/*
 * mr_drain: nothing is under way any more with what was answered before (here: with anything; there
 * are few packets).  rtl: receive/responder/rsp_join.sv joined_o, receive/responder/rsp_commit.sv drained_o
 * rtl: receive/atomic/atomic_unit.sv drained_o, receive/responder/rsp_tx.sv drained_o
 * rtl: tx/tx_ring.sv drained_o
 */
#define OTHERS_DRAINED (empty(rec) && empty(at) && !in_visit && empty(ring1))
active proctype Invalidate() /* rsp_inv, mr_update, mr_drain; rtl: state/mr/mr_drain.sv drained_i */
{
end:	do
	:: told?[true] -> OTHERS_DRAINED && !in_commit; wake!INVED; told?true
	od
}

active proctype Fills() /* MPT, MTT, receive WQEs: a read behind the write-back of the victim */
{
	mtype k;
end:	do
	:: missed?k ->
		if
		:: back_sent = false; post(5, BACK); back_sent
		:: true -> skip
		fi;
		fetch(FILL);
		wake!k;
		k = WRITE
	od
}

active proctype Commit()
{
	bool fatal;
	mtype k;
end:	do
	:: ev?fatal ->
		if
		:: fatal -> report!true; owed_ack = true
		:: else -> skip
		fi;
		fatal = false
#ifdef ATOMIC_HOLDS_EVENTS
	:: rec?k;
#else
	:: atomic { !rec?[ATOMIC] && nempty(rec) -> rec?k; in_commit = true };
#endif
		if
		:: k == KEYFIRST ->
#ifdef INVALIDATE_IN_COMMIT
			OTHERS_DRAINED; /* it is all that is in here */
#endif
			told!true; inflight++
		:: k == WRITE || k == INVED ->
			post_part(1);
#ifdef LOCK_OVER_MISS
			back_sent = false; post(5, BACK); back_sent;
#endif
			post(1, END); cqe!true; owed_ack = true
		:: k == READ -> post(1, END); owed_reads++
		:: k == ATOMIC -> at!true
		fi;
#ifdef ACK_HOLDS_RX
		ack!true;
#endif
		atomic { inflight--; k = WRITE; in_commit = false }
#ifndef ATOMIC_HOLDS_EVENTS
	:: atomic { rec?[ATOMIC] && nfull(at) -> rec?k; at!true; inflight--; k = WRITE }
#endif
	od
}

active proctype Atomics()
{
	bool bad;
end:	do
	:: at?[true] ->
		fetch(VALUE);
		judge(bad);
		if
		:: bad -> ev!true
		:: else -> post(6, END); post(6, END); owed_atomics++
		fi;
		atomic { at?true; bad = false }
	od
}

active proctype RspTx()
{
end:	do
#ifdef FENCE_HOLDS_ERRORS
	:: atomic { !halted && err1?[true] -> err1?true }; ev!true
#else
	:: err1?true -> ev!true
#endif
	:: atomic { !halted && owed_reads > 0 -> owed_reads--; in_visit = true }; ev!false; ring1!true; in_visit = false
	:: atomic { !halted && owed_atomics > 0 -> owed_atomics--; in_visit = true }; ev!false; ring1!false; in_visit = false
	:: atomic { !halted && owed_ack -> owed_ack = false }; ack!true; ev!false
	od
}

active proctype Ring1() /* tx_fetch, tx_fill, tx_check of the responses */
{
	bool payload, bad;
end:	do
	:: ring1?<payload> ->
		if
		:: payload -> fetch(PAYLOAD1); judge(bad)
		:: else -> skip
		fi;
		if
		:: bad -> err1!true
		:: else -> out!true
		fi;
		atomic { ring1?payload; payload = false; bad = false }
	od
}
#endif

/* ---------------------------------------------------------------- completer */

#ifdef COMPLETER
active proctype CmpPacket()
{
end:	do
	:: cev?true
#ifdef EVENTS_LAST
	:: cmp_pkt?true -> place!true
#else
	:: atomic { cmp_pkt?[true] && nfull(place) -> cmp_pkt?true; place!true }
#endif
	od
}

active proctype CmpPlace() /* cmp_check, cmp_join */
{
end:	do
	:: place?true ->
		if
		:: misses < MISSES -> misses++; fetch(FILL)
		:: true -> skip
		fi;
		if
		:: true -> cev!true; post(2, END)
		:: true -> post_part(2); post(2, END); prog!true
		fi;
		inflight--
	od
}

active proctype CmpRetire()
{
end:	do
	:: prog?true ->
		cqe!true;
		if
		:: true -> cev!true
		:: true -> skip
		fi
	od
}
#endif

/* ---------------------------------------------------------------- requester */

#ifdef REQUESTER
bool kicked[QPS], known[QPS], over[QPS];
byte next[QPS];

active proctype Requester() /* qp_scheduler, req_visit, req_build, req_issue */
{
	byte q, n;
	do
	:: atomic { q < QPS -> kicked[q] = true; q++ }
	:: q == QPS -> atomic { q = 0; break }
	od;
end:	do
	:: atomic { kicked[0] -> kicked[0] = false; q = 0 }; goto visit
	:: atomic { kicked[1] -> kicked[1] = false; q = 1 }; goto visit
	:: atomic { kicked[2] -> kicked[2] = false; q = 2 }; goto visit
	od;
visit:	if
	:: atomic { known[q] -> known[q] = false; over[q] = true; failures-- }
	:: else -> skip
	fi;
	do
	:: !over[q] && next[q] < 2 -> next[q]++; ring0!q
	:: else -> break
	od;
	q = 0;
	goto end
}

active proctype Ring0()
{
	byte q;
	bool bad;
end:	do
	:: ring0?<q> ->
		fetch(PAYLOAD0);
		judge(bad);
		if
		:: bad && known[q] -> skip
		:: bad && !known[q] -> /* rtl: send/requester/req_txerr.sv in_ready_o */
			atomic { failures < FAILURES -> failures++; known[q] = true; kicked[q] = true };
			assert(failures <= FAILURES)
		:: !bad -> out!true
		fi;
		atomic { ring0?q; sent++; q = 0; bad = false }
	od
}
#endif

/* ---------------------------------------------------------------- what must be so in the end */

active proctype Done()
{
end:	timeout ->
	assert(arrived == PACKETS && inflight == 0 && parked == 0 && !halted);
	assert(owed_reads == 0 && owed_atomics == 0 && !owed_ack && lock == 0 && failures == 0);
	assert(empty(wr) && empty(down) && empty(ops) && empty(answers) && empty(cqe));
	assert(empty(told) && !in_commit && !in_visit);
	assert(empty(rec) && empty(at) && empty(ring0) && empty(ring1) && empty(err1) && empty(ack) && empty(out));
	assert(empty(report) && empty(place) && empty(cmp_pkt) && empty(rsp_pkt))
}
