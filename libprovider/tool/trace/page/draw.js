// SPDX-License-Identifier: Apache-2.0
/* Elements of the page.  Text is only ever set as text: what a capture has in it is no HTML. */
"use strict";

const SVG = "http://www.w3.org/2000/svg";

function build(element, properties, children) {
	for (const [name, value] of Object.entries(properties || {})) {
		if (name.startsWith("on"))
			element.addEventListener(name.slice(2), value);
		else if (value !== null && value !== undefined && value !== false)
			element.setAttribute(name, value);
	}
	for (const child of children.flat())
		if (child !== null && child !== undefined)
			element.append(child);
	return element;
}

function el(tag, properties, ...children) {
	return build(document.createElement(tag), properties, children);
}

function svg(tag, properties, ...children) {
	return build(document.createElementNS(SVG, tag), properties, children);
}

function panel(title, ...children) {
	return el("section", { class: "panel" }, title ? el("h2", {}, title) : null, ...children);
}

function button(text, pressed, click) {
	return el("button", { type: "button", "aria-pressed": String(pressed), onclick: click }, text);
}

/* A link to another part of the page. */
function anchor(text, go) {
	return el("a", { href: "#", onclick: event => {
		event.preventDefault();
		event.stopPropagation();
		go();
	} }, text);
}

/* A table: head is [text, title] of the columns, body rows of cells (text or node).  The first `words` columns are
 * words, the others figures. */
function table(head, body, words, name) {
	const place = i => i < words ? null : "figure";
	return el("div", { class: "scroll " + name }, el("table", { class: name },
		el("thead", {}, el("tr", {}, head.map(([text, title], i) => el("th", { class: place(i), title }, text)))),
		el("tbody", {}, body.map(cells => el("tr", {}, cells.map((cell, i) => el("td", { class: place(i) }, cell)))))));
}

/* ---- axes ---- */

/* Round values between low and high, about `want` of them. */
function ticks(low, high, want) {
	const span = high - low || 1, raw = span / want, power = 10 ** Math.floor(Math.log10(raw));
	const step = power * [1, 2, 5, 10].find(factor => factor * power >= raw * 0.999);
	const found = [];
	for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step)
		found.push(Math.abs(value) < step / 1e6 ? 0 : value);
	return found;
}

function powers(low, high) {
	const found = [];
	for (let power = Math.ceil(Math.log10(low) - 1e-9); 10 ** power <= high * 1.0001; power++)
		found.push(10 ** power);
	return found;
}

/* The unit that fits times up to ns: [ns of it, its name]. */
function timeUnit(ns) {
	return ns >= 2e9 ? [1e9, "s"] : ns >= 2e6 ? [1e6, "ms"] : ns >= 2e3 ? [1e3, MICRO] : [1, "ns"];
}

function short(value) {
	return grouped(String(Number(value.toPrecision(10))));
}

/* ---- words that name frames ---- */

/* Text in which "#12" becomes a link to the frame of that number. */
function linked(text, go) {
	return text.split(/(#\d+)/).map(part => {
		if (!/^#\d+$/.test(part))
			return part;
		const number = Number(part.slice(1));
		return anchor(part, () => go(number));
	});
}
