// SPDX-License-Identifier: Apache-2.0
/* What a person does on a page of `cairn report`, one thing after another, for test_page.py; after each a few words
 * about the page: filter, lines, points of the first plot, chosen frame, address. */
"use strict";

Element.prototype.setPointerCapture = () => {};		/* there is no pointer */
const log = [];
const one = name => document.querySelector(name), all = name => [...document.querySelectorAll(name)];
const plot = () => one('svg[data-plot="sequence"]');

/* At a part of the plot's width, inside the axes. */
function pointer(type, part) {
	const box = plot().getBoundingClientRect(), width = box.width - MARGIN.left - MARGIN.right;
	const x = box.left + MARGIN.left + part * width;
	plot().dispatchEvent(new PointerEvent(type, { clientX: x, clientY: box.top + 60, pointerId: 1 }));
}

function type(text) {
	ladder.goal.value = text;
	ladder.goal.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
}

function press(text) {
	all(".chips button").find(chip => chip.textContent.startsWith(text)).click();
}

function note() {
	const chosen = one(".line.chosen");
	log.push([ladder.section.getAttribute("data-filter"), all(".line[data-frame]").length, plot().dataset.points,
		chosen && chosen.dataset.frame, location.hash]);
}

function order() {
	log.push(all("table.connections tbody tr").map(row => row.dataset.connection));
}

note();
pointer("pointerdown", 0.5);
pointer("pointermove", 0.7);
pointer("pointerup", 0.9);
note();
plot().dispatchEvent(new MouseEvent("dblclick"));
note();
press("Sent again");
note();
one(".line .why a").click();
note();
type("3");
note();
type("999999");
note();
press("NAK");
one(".line.gap").click();
note();
ladder.windowed.click();
pointer("pointerdown", 0.9);
pointer("pointerup", 1);
note();
for (let times = 0; times < 2; times++) {
	all("table.connections th")[5].click();
	order();
}
one('table.connections tr[data-connection="1"]').click();
note();
document.body.dataset.log = JSON.stringify(log);
