// SPDX-License-Identifier: Apache-2.0
/* What the page says in tables: the capture, its stations, warnings, connections, figures of one, counters. */
"use strict";

function sumIn(objects) {
	return objects.reduce((sum, object) => sum + Object.values(object).reduce((a, b) => a + b, 0), 0);
}

/* Of both directions of a connection. */
function both(connection, name) {
	return connection.figures[0][name] + connection.figures[1][name];
}

function sumOf(name) {
	return report.connections.reduce((sum, connection) => sum + both(connection, name), 0);
}

function named(object) {
	return Object.entries(object).map(([name, n]) => `${name} ${count(n)}`).join(", ");
}

function nothing() {
	return el("span", { class: "none" }, DASH);
}

function some(value) {
	return value ? count(value) : nothing();
}

/* ---- the capture ---- */

const INTERFACES = 8;	/* named in the header */

function tile(name, value, title) {
	return el("div", { class: "tile", title }, el("b", {}, value), el("span", {}, name));
}

function beginning() {
	return "from " + (report.clock === "device" ? `device time ${moment(report.base_ns)} ${MICRO}`
		: new Date(report.base_ns / 1e6).toISOString().replace("T", " ").replace("Z", " UTC"));
}

function header() {
	const naks = sumIn(report.connections.flatMap(connection => connection.figures.map(figures => figures.naks)));
	const others = Object.entries(report.others).map(([name, n]) => `${n} ${name}`).join(", ");
	const records = report.exact ? `${report.records} records: as they left and as they arrived` : null;
	return el("header", {},
		el("h1", {}, report.file, el("span", {}, "cairn report")),
		el("div", { class: "tiles" },
			tile(beginning(), duration(report.span_ns)),
			tile("frames", count(report.frames), records),
			tile("bytes", bytes(report.bytes), count(report.bytes)),
			tile("connections", count(report.connections.length)),
			tile("sent again", count(sumOf("again"))),
			tile("NAKs", count(naks)),
			tile("RNR NAKs", count(sumOf("rnr"))),
			report.exact ? tile("lost or damaged", count(sumOf("lost") + sumOf("damaged"))) : null),
		el("p", { class: "remark" }, interfaces()),
		el("p", { class: "remark" },
			report.exact ? "This capture has each port apart: what left it and what reached it."
				: "This capture has each frame once: what was lost on the way can only be inferred.",
			others ? ` Besides: ${others}.` : ""),
		warnings());
}

/* One line; the table of them stands at the end. */
function interfaces() {
	const addresses = one => one.addresses.length ? ` (${one.addresses.join(", ")})` : "";
	const names = report.stations.map(one => one.name + addresses(one));
	const more = names.length - INTERFACES;
	return (report.exact ? "Interfaces: " : "Stations: ") + names.slice(0, INTERFACES).join(", ") +
		(more > 0 ? ` and ${more} more` : "");
}

function warnings() {
	const text = ({ text, count: times, frames }) => text + (times > 1 ? ` (${count(times)} times)` : "")
		+ (frames.length ? ": frame " + frames.join(", ") : "") + (times > frames.length && frames.length ? ", ..." : "");
	return report.warnings.length
		? el("ul", { class: "warnings" }, report.warnings.map(warning => el("li", {}, text(warning)))) : null;
}

function stations() {
	const head = [["name"], ["MAC address"], ["IP addresses"], ["frames sent"], ["bytes sent"], ["frames received"],
		["bytes received"], ["bad FCS"]];
	return panel(report.exact ? "Interfaces" : "Stations", table(head, report.stations.map(one => [one.name, one.mac || DASH,
		one.addresses.join(", ") || DASH, count(one.tx_frames), bytes(one.tx_bytes), count(one.rx_frames),
		bytes(one.rx_bytes), count(one.bad_fcs)]), 3, "stations"));
}

/* ---- connections ---- */

/* A figure of both directions, one above the other; format: of what is not 0. */
function pair(connection, name, format) {
	return connection.figures.map(figures => el("div", {}, figures[name] ? format(figures[name]) : nothing()));
}

/* NAKs of both directions by kind. */
function naksOf(connection) {
	const found = {};
	for (const { naks } of connection.figures)
		for (const [name, n] of Object.entries(naks))
			found[name] = (found[name] || 0) + n;
	return found;
}

function timeoutsOf(connection) {
	return connection.figures.reduce((sum, figures) => sum + (figures.restarts.timeout || 0), 0);
}

function lostOf(connection) {
	return both(connection, "lost") + both(connection, "damaged");
}

/* Columns: title, what a cell shows, what is sorted by, a hint; the first WORDS of them are words. */
function countColumn(title, value, hint) {
	return [title, connection => some(value(connection)), value, hint];
}

function pairColumn(title, name, format, hint) {
	return [title, connection => pair(connection, name, format), connection => both(connection, name), hint];
}

function latencyColumn(title, name, hint) {
	const value = connection => connection.latency_all ? connection.latency_all[name] : -1;
	return [title, connection => connection.latency_all ? duration(value(connection)) : nothing(), value, hint];
}

const WORDS = 4;
const COLUMNS = [
	["#", ({ index }) => anchor(String(index + 1), () => choose(index)), ({ index }) => index],
	["transport", connection => connection.kind, connection => connection.kind],
	["between", connection => connection.sides.map(side => el("div", {}, endName(side))),
		connection => endName(connection.sides[0])],
	["messages", connection => connection.figures.map(({ messages }) =>
		el("div", { class: "many" }, sumIn([messages]) ? named(messages) : nothing())),
	connection => sumIn(connection.figures.map(figures => figures.messages))],
	pairColumn("packets", "packets", count, "that each end sent"),
	pairColumn("payload", "payload", bytes, "that each end sent"),
	pairColumn("goodput", "goodput", rate, "payload that each end sent and that was delivered, over the whole time"),
	countColumn("again", connection => both(connection, "again"), "requests sent again"),
	["NAK", connection => el("div", { class: "few" }, named(naksOf(connection)) || nothing()),
		connection => sumIn([naksOf(connection)])],
	countColumn("RNR", connection => both(connection, "rnr")),
	countColumn("timeouts", timeoutsOf, "after which a requester began again"),
	countColumn("dupl.", connection => both(connection, "duplicates"),
		"packets that came once more to a receiver that had them"),
	countColumn("lost", lostOf, "or damaged"),
	latencyColumn("p50", "p50", "latency: from the first packet of a message to the answer that completes it"),
	latencyColumn("p99", "p99"), latencyColumn("p99.9", "p999"), latencyColumn("max", "max"),
];

/* Sorts by column n: words from A on, figures from the largest on, the other way round when asked again. */
function sortBy(n, heads, body, rows) {
	const words = n < WORDS - 1, usual = words ? "ascending" : "descending";
	const other = words ? "descending" : "ascending";
	const way = heads[n].getAttribute("aria-sort") === usual ? other : usual, sign = way === "ascending" ? 1 : -1;
	const key = row => COLUMNS[n][2](report.connections[Number(row.getAttribute("data-connection"))]);
	heads.forEach((head, at) => head.setAttribute("aria-sort", at === n ? way : "none"));
	body.append(...rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * sign));
}

function connections() {
	const made = panel("Connections", table(COLUMNS.map(([title, , , hint]) => [title, hint]),
		report.connections.map(connection => COLUMNS.map(([, cell]) => cell(connection))), WORDS, "connections"));
	const body = made.querySelector("tbody"), rows = [...body.rows], heads = [...made.querySelectorAll("th")];
	rows.forEach((row, n) => {
		row.setAttribute("data-connection", n);
		row.addEventListener("click", () => choose(n));
	});
	heads.forEach((head, n) => {
		head.setAttribute("aria-sort", n ? "none" : "ascending");
		head.addEventListener("click", () => sortBy(n, heads, body, rows));
	});
	return made;
}

function markChosen() {
	document.querySelectorAll("table.connections tbody tr").forEach(row =>
		row.classList.toggle("chosen", Number(row.getAttribute("data-connection")) === state.connection));
}

/* ---- one connection ---- */

const RESTARTS = { nak: "sequence NAK", rnr: "RNR NAK", implied: "implied NAK", timeout: "timeout",
	behind: "NAK behind a READ", unexplained: "nothing in this capture" };

function restarts(object) {
	return named(Object.fromEntries(Object.entries(object).map(([name, n]) => [RESTARTS[name] || name, n])));
}

const FIGURES = [
	["messages asked for", "messages", named],
	["of them refused or failed", "failed", count],
	["of them not completed", "open", count],
	["packets sent", "packets", count],
	["bytes on the wire", "bytes", bytes],
	["payload sent", "payload", bytes],
	["goodput", "goodput", rate],
	["requests sent again", "again", count],
	["went back because of", "restarts", restarts],
	["NAKs to its requests", "naks", named],
	["RNR NAKs to its requests", "rnr", count],
	["ACKs to its requests", "acks", count],
	["duplicates", "duplicates", count],
	["lost", "lost", count],
	["damaged", "damaged", count],
	["marked CE", "marked", count],
	["PSNs not in this capture", "left_out", count],
];

function figuresOf(connection) {
	const full = value => value && (typeof value !== "object" || Object.keys(value).length);
	const cell = (value, format) => full(value) ? el("div", { class: "many" }, format(value)) : nothing();
	const rows = FIGURES.filter(([, name]) => connection.figures.some(figures => full(figures[name])))
		.map(([title, name, format]) =>
			[title, ...connection.figures.map(figures => cell(figures[name], format))]);
	return table([[""], ...connection.sides.map(side => [endName(side)])], rows, 1, "figures");
}

function latencyTable(connection) {
	const rows = connection.figures.flatMap((figures, n) => Object.entries(figures.latency_of).map(([op, found]) =>
		[op, endName(connection.sides[n]), count(found.n),
			...["min", "p50", "p99", "p999", "max"].map(name => duration(found[name]))]));
	const head = [["operation"], ["asked by"], ["messages"], ["min"], ["p50"], ["p99"], ["p99.9"], ["max"]];
	return rows.length ? table(head, rows, 2, "latencies") : null;
}

function setupText({ setup }) {
	return setup ? el("p", { class: "remark" }, "Set up by the CM: " + setup.text + ", ",
		anchor("REQ in frame " + setup.frame, () => choose(setup.connection, setup.frame)), ".") : null;
}

function connectionHead(connection) {
	const words = [connection.pmtu ? `path MTU ${connection.pmtu}` : null,
		connection.renewed ? `connected again ${connection.renewed} times` : null].filter(Boolean).join(", ");
	return panel(`${connection.kind}: ${endName(connection.sides[0])} and ${endName(connection.sides[1])}`,
		words ? el("p", { class: "remark" }, words) : null, setupText(connection),
		el("div", { class: "beside" }, figuresOf(connection), latencyTable(connection)));
}

/* ---- counters ---- */

function counterTable(nics, all) {
	const names = [...new Set(nics.flatMap(nic => Object.keys(report.counters[nic])))].filter(name => name !== "qps");
	const rows = names.filter(name => all || nics.some(nic => report.counters[nic][name]))
		.map(name => [name, ...nics.map(nic => some(report.counters[nic][name]))]);
	return table([["counter"], ...nics.map(nic => [nic])], rows, 1, "counters");
}

function qpTable(nics) {
	const full = values => Object.fromEntries(Object.entries(values).filter(([, value]) => value));
	const rows = nics.flatMap(nic => Object.entries(report.counters[nic].qps || {})
		.map(([name, values]) => [nic, name, named(full(values)) || DASH]));
	return rows.length ? table([["NIC"], ["QP"], ["counters that are not zero"]], rows, 3, "qps") : null;
}

function counters() {
	if (!report.counters)
		return null;
	const nics = Object.keys(report.counters).sort(), host = el("div", {});
	const all = el("input", { type: "checkbox", onchange: () => fill() });
	const fill = () => host.replaceChildren(counterTable(nics, all.checked));
	fill();
	return panel("Counters", el("label", {}, all, " those that are zero, too"), host, qpTable(nics));
}
