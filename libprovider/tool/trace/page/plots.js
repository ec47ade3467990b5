// SPDX-License-Identifier: Apache-2.0
/* Plots of one connection: PSNs, throughput and latency over time, and how latencies are distributed.  Those over time
 * share one window, which is chosen by dragging.  Points that fall on one pixel are drawn once. */
"use strict";

const MARGIN = { left: 74, right: 14, top: 10, bottom: 30 };
const BINS = [12, 140], LATENCY_BINS = 48;	/* of throughput: least, most */
const NEAR_PX = 14;

class Plot {
	/* draw(plot): computes and draws what is in the window. */
	constructor(name, title, height, draw) {
		this.name = name;
		this.height = height;
		this.draw = draw;
		this.key = el("span", { class: "key" });
		this.host = el("div", { class: "plot-host" });
		this.section = el("section", { class: "panel plot" }, el("h3", {}, title, this.key), this.host);
	}

	begin() {
		this.width = Math.max(320, this.host.clientWidth || 640);
		this.x0 = MARGIN.left;
		this.x1 = this.width - MARGIN.right;
		this.y0 = this.height - MARGIN.bottom;
		this.y1 = MARGIN.top;
		this.points = [];
		this.root = svg("svg", { class: "plot", "data-plot": this.name, width: this.width, height: this.height,
			viewBox: `0 0 ${this.width} ${this.height}`, role: "img" });
		this.key.replaceChildren();
		this.host.replaceChildren(this.root);
	}

	render() {
		this.begin();
		this.draw(this);
		this.root.setAttribute("data-points", this.points.length);
	}

	/* Scales: from..to onto the axis; log is for y only. */
	scaleX(from, to) {
		this.x = value => this.x0 + (value - from) / (to - from || 1) * (this.x1 - this.x0);
		this.xBack = px => from + (px - this.x0) / (this.x1 - this.x0) * (to - from);
	}

	scaleY(from, to, log) {
		const at = log ? Math.log : value => value;
		this.y = value => this.y0 - (at(value) - at(from)) / (at(to) - at(from) || 1) * (this.y0 - this.y1);
	}

	axisX(values, label) {
		for (const value of values) {
			const x = this.x(value);
			this.root.append(svg("line", { class: "grid", x1: x, x2: x, y1: this.y0, y2: this.y1 }),
				svg("text", { class: "tick", x, y: this.y0 + 15, "text-anchor": "middle" }, label(value)));
		}
		this.root.append(svg("line", { class: "axis", x1: this.x0, x2: this.x1, y1: this.y0, y2: this.y0 }));
	}

	axisY(values, label) {
		for (const value of values) {
			const y = this.y(value);
			this.root.append(svg("line", { class: "grid", x1: this.x0, x2: this.x1, y1: y, y2: y }),
				svg("text", { class: "tick", x: this.x0 - 7, y: y + 4, "text-anchor": "end" }, label(value)));
		}
	}

	timeAxis() {
		const [size, unit] = timeUnit(state.to);
		this.scaleX(state.from, state.to);
		this.axisX(ticks(state.from / size, state.to / size, this.width / 110).map(value => value * size),
			ns => short(ns / size) + " " + unit);
		this.dragged();
	}

	legend(entries) {
		for (const [name, text] of entries)
			this.key.append(el("span", { class: "entry " + name }, text));
	}

	/* Points of one kind: [[x, y, row], ...] in pixels; at most one a pixel is kept. */
	dots(name, found) {
		const seen = new Set();
		let path = "";
		for (const point of found) {
			const key = Math.round(point[0]) * 4096 + Math.round(point[1]);
			if (seen.has(key))
				continue;
			seen.add(key);
			path += `M${point[0].toFixed(1)},${point[1].toFixed(1)}h0`;
			this.points.push(point);
		}
		if (path)
			this.root.append(svg("path", { class: "dots " + name, d: path }));
	}

	empty(text) {
		this.root.append(svg("text", { class: "empty", x: this.width / 2, y: this.height / 2,
			"text-anchor": "middle" }, text));
	}

	/* Dragging chooses the window, a double click shows everything, a click goes to the packet beneath. */
	dragged() {
		const band = svg("rect", { class: "band", y: this.y1, height: this.y0 - this.y1, width: 0 });
		let start = null;
		const at = event => Math.min(this.x1, Math.max(this.x0,
			event.clientX - this.root.getBoundingClientRect().left));
		this.root.append(band);
		this.root.addEventListener("pointerdown", event => {
			start = at(event);
			this.root.setPointerCapture(event.pointerId);
		});
		this.root.addEventListener("pointermove", event => {
			if (start === null)
				return;
			band.setAttribute("x", Math.min(start, at(event)));
			band.setAttribute("width", Math.abs(start - at(event)));
		});
		this.root.addEventListener("pointerup", event => {
			const [low, high] = [start, at(event)].sort((a, b) => a - b);
			start = null;
			band.setAttribute("width", 0);
			if (high - low > 4)
				show({ from: this.xBack(low), to: this.xBack(high) });
			else
				this.pick(event);
		});
		this.root.addEventListener("dblclick", () => show(wholeTime(shown())));
	}

	pick(event) {
		const box = this.root.getBoundingClientRect();
		const distance = ([x, y]) => Math.hypot(x - event.clientX + box.left, y - event.clientY + box.top);
		let best = null, least = NEAR_PX;
		for (const point of this.points)
			if (point[2] >= 0 && distance(point) < least)
				[best, least] = [point, distance(point)];
		if (best)
			show({ frame: rowsOf(shown()).number[best[2]] });
	}
}

/* ---- PSNs over time ---- */

const SEQUENCE = [["fresh", "sent first"], ["data", "READ data"], ["ack", "ACK"], ["again", "sent again"],
	["lost", "lost, damaged"], ["nak", "NAK, RNR"]];

function sequenceKind(flags) {
	if (flags & (FLAG.lost | FLAG.damaged | FLAG.missing))
		return "lost";
	if (flags & (FLAG.nak | FLAG.rnr))
		return "nak";
	if (flags & FLAG.again)
		return "again";
	return flags & FLAG.data ? "data" : flags & FLAG.ack ? "ack" : "fresh";
}

function drawSequence(plot) {
	const connection = shown(), table = rowsOf(connection);
	const rows = [];
	let low = Infinity, high = -Infinity;
	for (let i = 0; i < table.size; i++) {
		if (table.ns[i] < state.from || table.ns[i] > state.to || asker(connection, i) !== state.side)
			continue;
		rows.push(i);
		low = Math.min(low, table.psn[i]);
		high = Math.max(high, table.psn[i]);
	}
	plot.timeAxis();
	if (!rows.length)
		return plot.empty("no packets of this direction in this window");
	plot.scaleY(low - 0.5, Math.max(high, low + 1) + 0.5);
	plot.axisY(ticks(low, Math.max(high, low + 1), 5).filter(Number.isInteger), short);
	const kinds = Object.fromEntries(SEQUENCE.map(([name]) => [name, []]));
	for (const i of rows)
		kinds[sequenceKind(table.flags[i])].push([plot.x(table.ns[i]), plot.y(table.psn[i]), i]);
	for (const [name] of SEQUENCE)
		plot.dots(name, kinds[name]);
	plot.legend([["plain", `from ${connection.base[state.side] % 2 ** PSN_BITS} on`],
		...SEQUENCE.filter(([name]) => kinds[name].length)]);
}

/* ---- throughput ---- */

function drawThroughput(plot) {
	const connection = shown(), table = rowsOf(connection);
	const seen = table.ns.reduce((sum, ns) => sum + (ns >= state.from && ns <= state.to), 0);
	const many = Math.round(Math.min(BINS[1], Math.max(BINS[0], seen / 4)));
	const width = (state.to - state.from) / many || 1;
	const bins = [0, 1, 2].map(() => new Float64Array(many));
	for (let i = 0; i < table.size; i++) {
		if (table.ns[i] < state.from || table.ns[i] > state.to)
			continue;
		const at = Math.min(Math.floor((table.ns[i] - state.from) / width), many - 1);
		const bits = table.bytes[i] * 8e9 / width;
		bins[table.side[i]][at] += bits;
		if (table.flags[i] & FLAG.again)
			bins[2][at] += bits;
	}
	const most = Math.max(...bins.map(values => values.reduce((a, b) => Math.max(a, b))));
	plot.timeAxis();
	if (!most)
		return plot.empty("no payload in this window");
	plot.scaleY(0, most * 1.05);
	plot.axisY(ticks(0, most, 4), rate);
	bins.forEach((values, n) => {
		if (!values.some(value => value))
			return;
		let path = `M${plot.x0},${plot.y0}`;
		values.forEach((value, bin) => {
			path += `V${plot.y(value).toFixed(1)}H${plot.x(state.from + (bin + 1) * width).toFixed(1)}`;
			plot.points.push([plot.x(state.from + (bin + 0.5) * width), plot.y(value), -1]);
		});
		plot.root.append(svg("path", { class: "rate " + ["side0", "side1", "again"][n], d: path + `V${plot.y0}Z` }));
	});
	const [a, b] = connection.sides.map(endName);
	plot.legend([["side0", `${a} \u2192`], ["side1", `${b} \u2192`], ["again", "sent again"]]
		.filter((_, n) => bins[n].some(value => value)));
}

/* ---- latency ---- */

/* [ns of the first packet, latency, row, side] of completed messages in the window. */
function latenciesShown(connection) {
	const table = rowsOf(connection), found = [];
	connection.latency.forEach((messages, side) => messages.row.forEach((row, n) => {
		if (table.ns[row] >= state.from && table.ns[row] <= state.to)
			found.push([table.ns[row], Math.max(1, messages.ns[n]), row, side]);
	}));
	return found;
}

function bounds(values) {
	return values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)],
		[Infinity, -Infinity]);
}

function drawLatency(plot) {
	const connection = shown(), found = latenciesShown(connection);
	plot.timeAxis();
	if (!found.length)
		return plot.empty("no message completed in this window");
	const [low, high] = bounds(found.map(point => point[1])), log = high > 20 * low;
	const from = log ? low / 1.3 : 0, to = high * (log ? 1.3 : 1.08);
	plot.scaleY(from, to, log);
	plot.axisY(log ? powers(from, to) : ticks(from, to, 4), duration);
	const dots = [[], []];
	for (const [ns, latency, row, side] of found)
		dots[side].push([plot.x(ns), plot.y(latency), row]);
	dots.forEach((points, side) => plot.dots("side" + side, points));
	plot.legend(connection.sides.map((side, n) => ["side" + n, "asked by " + endName(side)])
		.filter((_, n) => dots[n].length));
}

function drawDistribution(plot) {
	const found = latenciesShown(shown()).map(point => point[1]);
	if (!found.length)
		return plot.empty("no message completed in this window");
	const [low, high] = bounds(found), from = Math.log(low / 1.05), to = Math.log(high * 1.05);
	const bins = new Float64Array(LATENCY_BINS);
	for (const value of found)
		bins[Math.min(LATENCY_BINS - 1, Math.floor((Math.log(value) - from) / (to - from) * LATENCY_BINS))]++;
	const most = bins.reduce((a, b) => Math.max(a, b));
	plot.scaleX(from, to);
	const marks = powers(Math.exp(from), Math.exp(to));
	const labels = marks.length > 1 ? marks : ticks(Math.exp(from), Math.exp(to), 4).filter(value => value > 0);
	plot.axisX(labels.map(Math.log), value => duration(Number(Math.exp(value).toPrecision(9))));
	plot.scaleY(0, most * 1.12);
	plot.axisY(ticks(0, most, 4).filter(Number.isInteger), short);
	const width = (plot.x1 - plot.x0) / LATENCY_BINS;
	bins.forEach((value, n) => {
		if (!value)
			return;
		plot.points.push([plot.x0 + (n + 0.5) * width, plot.y(value), -1]);
		plot.root.append(svg("rect", { class: "bar", x: plot.x0 + n * width + 0.5, y: plot.y(value),
			width: Math.max(1, width - 1), height: plot.y0 - plot.y(value) }));
	});
	const ascending = found.sort((a, b) => a - b);
	[["p50", 0.5], ["p99", 0.99], ["p99.9", 0.999]].forEach(([name, q], n) => {
		const value = ascending[Math.max(0, Math.ceil(ascending.length * q) - 1)], x = plot.x(Math.log(value));
		plot.root.append(svg("line", { class: "quantile", x1: x, x2: x, y1: plot.y0, y2: plot.y1 }),
			svg("text", { class: "quantile", x: x + (x > plot.x1 - 60 ? -4 : 4), y: plot.y1 + 10 + 13 * n,
				"text-anchor": x > plot.x1 - 60 ? "end" : "start" }, `${name} ${duration(value)}`));
	});
}

const PLOTS = [
	new Plot("sequence", "PSN over time", 250, drawSequence),
	new Plot("throughput", "Throughput (payload)", 190, drawThroughput),
	new Plot("latency", "Latency of messages", 210, drawLatency),
	new Plot("distribution", "Distribution of latency", 210, drawDistribution),
];
