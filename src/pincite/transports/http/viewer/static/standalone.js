// The evidence of one document as a file of its own: everything is in it, nothing is loaded.

import { html, render } from "./vendor/preact-htm.js";
import { Evidence } from "./evidence.js";

const given = JSON.parse(document.getElementById("data").textContent);

const source = {
  picture: async (page) => {
    if (given.pictures[page]) return given.pictures[page];
    throw new Error("This page has no value, so its picture is not in this file.");
  },
  lines: async (page) => given.lines[page] ?? [],
  part: async (number) => given.parts[number],
  partAt: async (offset) => given.parts.find((part) => offset < part.start + part.text.length) ?? given.parts.at(-1),
};

document.title = `${given.title} – pincite`;
render(html`<div id="content"><${Evidence} title=${given.title} result=${given.result} source=${source} sizes=${given.sizes} locators=${given.locators} /></div>`, document.getElementById("app"));
