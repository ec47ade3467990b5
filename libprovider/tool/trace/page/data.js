// SPDX-License-Identifier: Apache-2.0
/* The data of the page, and what all parts of its script share: state, formats.  page.py says what is in the data. */
"use strict";

window.addEventListener("error", event => {
	document.documentElement.setAttribute("data-error", event.message);
	const banner = document.createElement("p");
	banner.className = "failed";
	banner.textContent = "This page could not be drawn: " + event.message;
	document.body.prepend(banner);
});

const report = JSON.parse(document.getElementById("data").textContent);
report.connections.forEach((connection, n) => { connection.index = n; });
const FLAG = report.flags;
const EVENTS = FLAG.nak | FLAG.rnr | FLAG.again | FLAG.lost | FLAG.damaged | FLAG.duplicate | FLAG.cm | FLAG.late |
	FLAG.renewed | FLAG.missing;
const PSN_BITS = 24;

/* What is looked at: connection, window of time (ns, of the plots), filter of the ladder, frame, whose PSNs. */
const state = { connection: 0, from: 0, to: 0, filter: null, frame: null, side: 0 };

/* ---- formats ---- */

const MICRO = "\u00b5s", DASH = "\u2013", THIN = "\u2009";

function grouped(text) {
	return text.replace(/\B(?=(\d{3})+(?!\d))/g, THIN);
}

function count(value) {
	return grouped(String(value));
}

function significant(value) {
	return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function scaled(value, units) {
	const [size, unit] = units.find(([size]) => Math.abs(value) >= size) || units[units.length - 1];
	return significant(value / size) + " " + unit;
}

function duration(ns) {
	if (Math.abs(ns) < 1000)
		return ns ? Math.round(ns) + " ns" : "0";
	return scaled(ns, [[1e9, "s"], [1e6, "ms"], [1e3, MICRO]]);
}

function bytes(value) {
	return value < 1000 ? value + " B" : scaled(value, [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]);
}

function rate(bits) {
	return bits < 1 ? "0" : scaled(bits, [[1e9, "Gb/s"], [1e6, "Mb/s"], [1e3, "kb/s"], [1, "b/s"]]);
}

/* A moment since the capture began, in us to the ns. */
function moment(ns) {
	const whole = Math.floor(ns / 1000);
	return grouped(String(whole)) + "." + String(ns - whole * 1000).padStart(3, "0");
}

function qpn(value) {
	return value === null ? "QP ?" : "QP 0x" + value.toString(16);
}

function endName(side) {
	return side.address + " " + qpn(side.qpn);
}

/* ---- connections, taken apart when they are first shown ---- */

function summed(differences) {
	const values = new Float64Array(differences.length);
	let value = 0;
	differences.forEach((difference, i) => { values[i] = value += difference; });
	return values;
}

/* The columns of a connection's rows; times in ns since the capture began. */
function rowsOf(connection) {
	if (!connection.table) {
		const rows = connection.rows;
		connection.table = {
			size: rows.n.length, number: summed(rows.n), ns: summed(rows.t),
			flight: rows.a, side: Uint8Array.from(rows.s, Number), op: rows.o, psn: rows.p, bytes: rows.l,
			flags: rows.f, why: rows.w, by: rows.b, syndrome: rows.y, msn: rows.m,
		};
		connection.from = connection.table.ns[0];
		connection.to = connection.table.ns.reduce((last, ns) => Math.max(last, ns), connection.from + 1);
		connection.rowOf = new Map();
		connection.table.number.forEach((number, i) => connection.rowOf.set(number, i));
	}
	return connection.table;
}

/* Whose PSNs row i counts in: an answer has those of what it answers. */
function asker(connection, i) {
	const table = rowsOf(connection), side = table.side[i];
	return table.flags[i] & (FLAG.ack | FLAG.nak | FLAG.rnr | FLAG.data) ? 1 - side : side;
}

function psnOf(connection, i) {
	const table = rowsOf(connection), whole = 2 ** PSN_BITS;
	return ((table.psn[i] + connection.base[asker(connection, i)]) % whole + whole) % whole;
}

/* Row that caused row i, or -1. */
function causeOf(table, i) {
	return table.by[i] ? i - table.by[i] : -1;
}

const NAKS = ["sequence error", "invalid request", "remote access error", "remote operational error", "invalid RD request"];

/* What the AETH says. */
function syndromeText(syndrome) {
	const kind = syndrome >> 5 & 3, code = syndrome & 31;
	if (kind === 0)
		return "ACK";
	return kind === 1 ? "RNR NAK" : kind === 3 ? "NAK: " + (NAKS[code] || "code " + code) : "reserved";
}

function opName(table, i) {
	return report.ops[table.op[i]].replace(/^(RC|UC|UD)_/, "");
}
