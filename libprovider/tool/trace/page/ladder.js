// SPDX-License-Identifier: Apache-2.0
/* The ladder: a line a packet, time runs down, arrows between two lifelines, beside each what caused it.  Only the
 * lines on the screen are elements of the page, so its length costs nothing. */
"use strict";

const LINE_PX = 26, TALL_PX = 80;	/* height of a line, and of one with the words of a CM message */
const BEFORE = 8;			/* lines drawn beyond each end */
const AROUND = 3;			/* packets shown on each side of an event */
const MANY = 300;			/* packets, above which the ladder begins with the events */
const BROKEN = 0.62;			/* where the arrow of a lost packet ends */

/* Filters: name, title, which packets (bits of flags; null: all). */
const FILTERS = [
	["all", "All packets", null],
	["around", "Around events", EVENTS],
	["again", "Sent again", FLAG.again],
	["nak", "NAK", FLAG.nak],
	["rnr", "RNR", FLAG.rnr],
	["lost", "Lost, damaged", FLAG.lost | FLAG.damaged | FLAG.missing],
	["duplicate", "Duplicates", FLAG.duplicate],
	["request", "Requests", FLAG.request],
	["data", "READ and atomic answers", FLAG.data],
	["ack", "ACK", FLAG.ack],
	["cm", "CM", FLAG.cm],
	["marked", "CE", FLAG.marked],
];

/* Words beside a packet: flag, text. */
const BADGES = [["lost", "lost"], ["damaged", "damaged"], ["again", "again"], ["duplicate", "duplicate"], ["late", "late"],
	["marked", "CE"], ["missing", "missing"], ["renewed", "new"], ["ahead", "ahead"]];

function countOf(table, bits) {
	return bits === null ? table.size : table.flags.reduce((sum, flags) => sum + Boolean(flags & bits), 0);
}

class Ladder {
	constructor() {
		this.filters = el("div", { class: "chips" });
		this.detail = el("p", { class: "detail" });
		this.heads = el("div", { class: "line heads" });
		this.spacer = el("div", { class: "spacer" });
		this.lines = el("div", { class: "lines" });
		this.scroller = el("div", { class: "ladder", tabindex: 0, onscroll: () => this.draw() },
			this.spacer, this.lines);
		this.goal = el("input", { type: "text", size: 14, placeholder: "frame or PSN", "aria-label": "frame or PSN",
			onkeydown: event => event.key === "Enter" && this.find(event.target.value) });
		this.windowed = el("input", { type: "checkbox", onchange: () => this.render() });
		this.section = panel("Packets",
			el("div", { class: "tools" }, this.filters,
				el("label", {}, this.windowed, " only in the plots' window"), el("label", {}, "Go to ", this.goal)),
			this.heads, this.scroller, this.detail);
	}

	/* ---- which packets ---- */

	render() {
		this.connection = shown();
		this.table = rowsOf(this.connection);
		const events = countOf(this.table, EVENTS);
		if (!FILTERS.some(([name]) => name === state.filter))
			state.filter = this.table.size > MANY && events ? "around" : "all";
		this.items = this.choose(FILTERS.find(([name]) => name === state.filter)[2]);
		this.pitch = this.connection.kind === "CM" ? TALL_PX : LINE_PX;
		this.scroller.classList.toggle("tall", this.pitch === TALL_PX);
		this.spacer.style.height = this.items.length * this.pitch + "px";
		this.scroller.style.height = Math.min(560, Math.max(3, this.items.length) * this.pitch + 2) + "px";
		this.drawFilters();
		this.drawHeads();
		this.section.setAttribute("data-lines", this.items.length);
		this.section.setAttribute("data-filter", state.filter);
		this.reveal();
	}

	/* Items: a row's index, or minus the number of packets that are left out there. */
	choose(bits) {
		const table = this.table, around = state.filter === "around" ? AROUND : 0, items = [];
		const wanted = i => (bits === null || Boolean(table.flags[i] & bits))
			&& (!this.windowed.checked || (table.ns[i] >= state.from && table.ns[i] <= state.to));
		let last = -1, shown = -1;
		for (let i = 0; i < table.size; i++) {
			if (!wanted(i))
				continue;
			const from = Math.max(shown + 1, i - around), to = Math.min(table.size - 1, i + around);
			if (from > last + 1)
				items.push(-(from - last - 1));
			for (let at = from; at <= to; at++)
				items.push(at);
			last = shown = Math.max(shown, to);
		}
		if (last < table.size - 1)
			items.push(-(table.size - 1 - last));
		return items;
	}

	drawFilters() {
		this.filters.replaceChildren(...FILTERS.map(([name, title, bits]) => {
			const found = countOf(this.table, bits);
			const press = () => show({ filter: name });
			return found ? button(title + " " + count(found), state.filter === name, press) : "";
		}));
	}

	drawHeads() {
		const [a, b] = this.connection.sides.map(side =>
			el("span", {}, el("b", {}, side.port ? side.port + " " : ""), endName(side)));
		this.heads.replaceChildren(el("span", { class: "number" }, "frame"), el("span", { class: "time" }, MICRO),
			el("span", { class: "since" }, "since"), el("span", { class: "ends" }, a, b),
			el("span", { class: "why" }, "why"));
	}

	/* ---- lines ---- */

	draw() {
		if (!this.items)
			return;
		const first = Math.max(0, Math.floor(this.scroller.scrollTop / this.pitch) - BEFORE);
		const shown = Math.ceil(this.scroller.clientHeight / this.pitch) + 2 * BEFORE;
		this.width = Math.max(260, this.heads.querySelector(".ends").clientWidth);
		this.lines.style.top = first * this.pitch + "px";
		this.lines.replaceChildren(...this.items.slice(first, first + shown).map((item, n) =>
			item < 0 ? this.gap(first + n) : this.line(item, this.before(first + n))));
	}

	/* The packet before this line, or -1. */
	before(at) {
		const item = at ? this.items[at - 1] : -1;
		return item >= 0 ? item : -1;
	}

	gap(at) {
		const left = -this.items[at], next = this.items[at + 1];
		const last = next === undefined ? this.table.size - 1 : next - 1, first = last - left + 1;
		const time = duration(this.table.ns[last] - this.table.ns[first]);
		const words = `${count(left)} packet${left > 1 ? "s" : ""} in ${time}`;
		return el("div", { class: "line gap", onclick: () => show({ filter: "all", frame: this.table.number[first] }) },
			el("span", { class: "number" }, "\u22ee"), el("span", { class: "why" }, words));
	}

	line(i, before) {
		const table = this.table, number = table.number[i], flags = table.flags[i];
		const names = Object.keys(FLAG).filter(name => flags & FLAG[name]);
		return el("div", { class: "line" + (number === state.frame ? " chosen" : ""), "data-frame": number,
			"data-kind": names.join(" "), "data-why": report.causes[table.why[i]][0],
			onclick: () => show({ frame: number }) },
		el("span", { class: "number" }, count(number)),
		el("span", { class: "time" }, moment(table.ns[i])),
		el("span", { class: "since" }, before < 0 ? "" : "+" + duration(table.ns[i] - table.ns[before])),
		this.arrow(i, flags),
		el("span", { class: "why", title: this.why(i) }, this.badges(flags), this.links(this.why(i))));
	}

	arrow(i, flags) {
		const table = this.table, right = table.side[i] === 0, width = this.width, pad = 14;
		const start = right ? pad : width - pad, end = right ? width - pad : pad;
		const broken = flags & (FLAG.lost | FLAG.damaged), stop = broken ? start + (end - start) * BROKEN : end;
		const middle = this.pitch / 2, to = middle + 7;
		const y = table.flight[i] >= 0 && !(flags & FLAG.lost) ? to - 4 : to, head = right ? -6 : 6;
		const kind = `arrow ${sequenceKind(flags)} ${right ? "side0" : "side1"}`;
		const shape = svg("svg", { class: kind, width, height: this.pitch },
			svg("line", { class: "life", x1: pad, x2: pad, y1: 0, y2: this.pitch }),
			svg("line", { class: "life", x1: width - pad, x2: width - pad, y1: 0, y2: this.pitch }),
			svg("line", { class: "shaft", x1: start, y1: y, x2: stop, y2: to }));
		shape.append(broken
			? svg("path", { class: "cross", d: `M${stop - 4},${to - 4}l8,8m0,-8l-8,8` })
			: svg("path", { class: "tip", d: `M${stop},${to}l${head},-4v8Z` }),
		svg("text", { x: width / 2, y: middle - 1, "text-anchor": "middle" }, this.label(i)));
		return el("span", { class: "ends" }, shape);
	}

	label(i) {
		const table = this.table, psn = psnOf(this.connection, i), data = table.bytes[i];
		if (table.flags[i] & FLAG.cm)
			return "CM " + this.mad(i).name;
		const size = data ? ` \u00b7 ${count(data)} B` : "";
		if (!(table.flags[i] & (FLAG.ack | FLAG.nak | FLAG.rnr)))
			return `${opName(table, i)} ${psn}${size}`;
		return `${syndromeText(table.syndrome[i])} \u00b7 PSN ${psn}`;
	}

	/* A CM message: its name is before the colon of its note. */
	mad(i) {
		const [name, ...rest] = (this.connection.notes[i] || "").split(": ");
		return { name, text: rest.join(": ") };
	}

	badges(flags) {
		return BADGES.filter(([name]) => flags & FLAG[name]).map(([name, text]) =>
			el("span", { class: "badge " + name }, text));
	}

	why(i) {
		const table = this.table, cause = causeOf(table, i), words = report.causes[table.why[i]];
		const parts = [];
		if (table.why[i])
			parts.push(cause < 0 ? words[2] : `${words[1]} #${table.number[cause]}`);
		const note = table.flags[i] & FLAG.cm ? this.mad(i).text : this.connection.notes[i];
		if (note)
			parts.push(note);
		return parts.join("; ");
	}

	links(text) {
		return linked(text, number => this.go(number));
	}

	/* ---- one packet ---- */

	go(number) {
		const row = this.connection.rowOf.get(number);
		const hidden = row !== undefined && !this.items.includes(row);
		show(hidden ? { frame: number, filter: "all" } : { frame: number });
	}

	/* Scrolls to the chosen packet and describes it. */
	reveal() {
		const row = this.connection.rowOf.get(state.frame);
		const at = row === undefined ? -1 : this.items.indexOf(row);
		if (at >= 0) {
			const top = at * this.pitch, view = this.scroller;
			if (top < view.scrollTop || top + this.pitch > view.scrollTop + view.clientHeight)
				view.scrollTop = top - view.clientHeight / 2;
		}
		this.detail.replaceChildren(...(row === undefined ? ["Click a packet to see all of it."] : this.describe(row)));
		this.draw();
	}

	describe(i) {
		const table = this.table, connection = this.connection, side = connection.sides[table.side[i]];
		const words = [`#${table.number[i]}`, `${moment(table.ns[i])} ${MICRO}`, `from ${endName(side)}`,
			report.ops[table.op[i]], `PSN ${psnOf(connection, i)}`, `${count(table.bytes[i])} bytes`];
		if (table.syndrome[i] >= 0)
			words.push(`AETH ${syndromeText(table.syndrome[i])}`, "syndrome 0x" + table.syndrome[i].toString(16),
				`MSN ${table.msn[i]}`);
		if (table.flight[i] >= 0)
			words.push(`arrived ${duration(table.flight[i])} later`);
		if (connection.details[i])
			words.push(connection.details[i]);
		const effects = [];
		for (let at = i + 1; at < table.size && effects.length < 12; at++)
			if (causeOf(table, at) === i)
				effects.push("#" + table.number[at]);
		const why = this.why(i), named = effects.length ? `Named by ${effects.join(", ")}.` : "";
		return [el("span", {}, words.slice(0, 1)), ", " + words.slice(1).join(", ") + ". ",
			...this.links([why ? why + "." : "", named].filter(Boolean).join(" "))];
	}

	/* What was typed: a frame's number, or a PSN. */
	find(text) {
		const value = Number(text.replace(/^#/, ""));
		if (text.trim() === "" || !Number.isInteger(value))
			return;
		if (this.connection.rowOf.has(value)) {
			this.go(value);
			return;
		}
		for (let i = 0; i < this.table.size; i++)
			if (psnOf(this.connection, i) === value) {
				this.go(this.table.number[i]);
				return;
			}
	}
}

const ladder = new Ladder();
