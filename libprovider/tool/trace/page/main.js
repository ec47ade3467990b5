// SPDX-License-Identifier: Apache-2.0
/* Puts the page together and keeps its address: what is looked at is in the fragment, so it can be sent on.
 *   #c=2&frame=34&filter=again&from=1000&to=2000&side=1 */
"use strict";

const parts = {
	head: el("div", {}), side: el("div", { class: "chips" }),
	latency: el("div", { class: "beside" }, ...PLOTS.slice(2).map(plot => plot.section)),
};
parts.time = panel("Over time",
	el("p", { class: "remark" }, "Drag in a plot to look at a part of the time, double-click to see all of it, ",
		"click a point to see its packet."),
	parts.side, ...PLOTS.slice(0, 2).map(plot => plot.section), parts.latency);

function shown() {
	return report.connections[state.connection];
}

/* All the time that the connection takes. */
function wholeTime(connection) {
	rowsOf(connection);
	return { from: connection.from, to: connection.to };
}

function whole() {
	const { from, to } = wholeTime(shown());
	return state.from === from && state.to === to;
}

function address() {
	const words = [`c=${state.connection + 1}`];
	if (state.filter)
		words.push(`filter=${state.filter}`);
	if (state.frame !== null)
		words.push(`frame=${state.frame}`);
	if (!whole())
		words.push(`from=${Math.round(state.from)}`, `to=${Math.round(state.to)}`);
	if (state.side)
		words.push("side=1");
	return "#" + words.join("&");
}

/* State from the address; what makes no sense there is left alone. */
function fromAddress() {
	const words = new URLSearchParams(location.hash.slice(1));
	const number = (name, low, high, otherwise) => {
		const value = words.has(name) ? Number(words.get(name)) : NaN;
		return value >= low && value <= high ? value : otherwise;
	};
	state.connection = Math.floor(number("c", 1, report.connections.length, firstShown() + 1)) - 1;
	state.frame = number("frame", 1, Number.MAX_SAFE_INTEGER, null);
	state.filter = words.get("filter");
	const { from, to } = wholeTime(shown());
	state.from = number("from", 0, report.span_ns, from);
	state.to = number("to", 0, report.span_ns, to);
	if (state.to <= state.from)
		Object.assign(state, { from, to });
	state.side = words.has("side") ? number("side", 0, 1, 0) : busySide(shown());
}

/* The connection with the most packets that is not the CM's. */
function firstShown() {
	const weight = connection => (connection.kind === "CM" ? 0 : 1e9) + connection.rows.n.length;
	const weights = report.connections.map(weight);
	return weights.indexOf(Math.max(...weights));
}

/* Whose requests there are more of. */
function busySide(connection) {
	const sum = side => Object.values(connection.figures[side].messages).reduce((a, b) => a + b, 0);
	return Number(sum(1) > sum(0));
}

function choose(connection, frame) {
	const chosen = report.connections[connection];
	show({ connection, frame: frame || null, filter: null, side: busySide(chosen), ...wholeTime(chosen) });
	parts.head.scrollIntoView({ block: "start" });
}

/* Changes what is looked at. */
function show(change) {
	const connected = "connection" in change, zoomed = "from" in change;
	Object.assign(state, change);
	if (zoomed && state.to - state.from < 1)
		state.to = state.from + 1;
	history.replaceState(null, "", address());
	if (connected)
		drawConnection();
	if (connected || zoomed || "side" in change)
		drawPlots();
	if (connected || zoomed || "filter" in change)
		ladder.render();
	else
		ladder.reveal();
}

function drawConnection() {
	parts.head.replaceChildren(connectionHead(shown()));
	markChosen();
}

function drawPlots() {
	const connection = shown(), asks = n => n === state.side || Object.keys(connection.figures[n].messages).length;
	parts.side.replaceChildren(...connection.sides.map((side, n) => asks(n)
		? button("requests of " + endName(side), state.side === n, () => show({ side: n })) : ""),
	whole() ? "" : button("whole time", false, () => show(wholeTime(connection))));
	parts.time.hidden = connection.kind === "CM";	/* a few messages: the ladder says it all */
	parts.latency.hidden = connection.kind !== "RC";	/* nothing else is acknowledged */
	PLOTS.filter(plot => plot.section.offsetParent).forEach(plot => plot.render());
}

function draw() {
	drawConnection();
	drawPlots();
	ladder.render();
}

function start() {
	document.getElementById("page").append(header(), connections(), parts.head, parts.time, ladder.section, stations(),
		...[counters()].filter(Boolean));
	fromAddress();
	draw();
	window.addEventListener("resize", draw);
	window.addEventListener("hashchange", () => { fromAddress(); draw(); });
	document.documentElement.setAttribute("data-state", "ready");
}

start();
