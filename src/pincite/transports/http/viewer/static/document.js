// One document, with a cited passage or a page shown.

import { html, useEffect, useMemo, useState } from "./vendor/preact-htm.js";
import { get, picture } from "./api.js";
import { CopyButton, link, Message, parameters, plural, useLoaded } from "./parts.js";
import { Pages } from "./pages.js";
import { plainLines, TextColumn } from "./text.js";

/** What pages and text of a document are loaded from, over HTTP. */
export function httpSource(address) {
  return {
    picture: (page, signal) => picture({ ...address, page, scale: "page" }, signal),
    lines: async (page, signal) => (await get("lines", { ...address, page }, signal)).lines,
    part: (number, signal) => get("text", { ...address, part: number }, signal),
    partAt: (at, signal) => get("text", { ...address, at }, signal),
  };
}

export function Citation({ reference }) {
  const { value, error } = useLoaded((signal) => get("citation", { ref: reference }, signal), [reference]);
  if (error && !value) {
    return html`<main class="column"><h1>This citation cannot be opened</h1><p class="ref">${reference}</p><${Message} error=${error} />
      <p><a href="#">All documents</a></p></main>`;
  }
  if (!value) return html`<main class="column"><${Message}>Opening…<//></main>`;
  return html`<${DocumentView} key=${`${value.place.collection}/${value.place.document}`} collection=${value.place.collection}
    name=${value.place.document} cited=${value} />`;
}

export function DocumentView({ collection, name, cited }) {
  const address = { collection, name };
  const { value, error } = useLoaded((signal) => get("document", address, signal), [collection, name]);
  const source = useMemo(() => httpSource(address), [collection, name]);
  const startPage = Number(parameters().page) || 0;
  if (error && !value) return html`<main class="column"><${Message} error=${error} /><p><a href="#">All documents</a></p></main>`;
  if (!value) return html`<main class="column"><${Message}>Opening…<//></main>`;
  const place = cited?.place;
  const hasPages = value.sizes.length > 0 && (!place || place.boxes.length > 0 || place.pages.length > 0);
  const marks = place ? [{ ...place, id: "cited", kind: "cited", label: "Cited passage" }] : [];
  if (place && !place.boxes.length && place.pages.length) marks[0].boxes = [{ page: place.pages[0], x0: 0, y0: 0, x1: 0, y1: 0 }];
  return html`<main class="reader">
    <header class="reader-head">
      <h1>${value.label}</h1>
      <p class="quiet">${[value.label !== value.name && value.name, value.format, value.pages && plural(value.pages, "page")].filter(Boolean).join(" · ")}</p>
      ${collection && html`<a class="search-in" href=${link({ collection, in: name })}>Search this document</a>`}
      ${value.sizes.length > 1 && html`<${PageJump} count=${value.sizes.length} address=${address} page=${place?.pages[0] ?? (startPage || 1)} />`}
    </header>
    ${value.shortfall && html`<p class="notice">${value.shortfall}</p>`}
    ${value.hidden > 0 && html`<p class="notice">${plural(value.hidden, "text")} in this document cannot be seen on its pages and ${value.hidden === 1 ? "is" : "are"} left out of search and extraction.</p>`}
    <div class="split">
      ${hasPages
        ? html`<${Pages} source=${source} sizes=${value.sizes} marks=${marks} selected=${place && "cited"} startPage=${startPage} />`
        : html`<${TextColumn} source=${source} spans=${marks} selected=${place && "cited"} />`}
      ${cited && html`<${CitedPassage} cited=${cited} />`}
    </div>
  </main>`;
}

function CitedPassage({ cited }) {
  const { place } = cited;
  return html`<aside class="side" aria-label="Cited passage">
    <h2>Cited passage</h2>
    ${!cited.current && html`<p class="notice">The document has changed since this was cited, but not this passage.</p>`}
    <p class="quiet">${[place.breadcrumb, place.pages.length && `page ${place.pages.join(", ")}`].filter(Boolean).join(" · ")}</p>
    <blockquote class="cited-text" tabindex="0">${plainLines(cited.text)}</blockquote>
    <p class="ref">${place.ref}</p>
    <p class="buttons"><${CopyButton} text=${cited.text} label="Copy the text" /><${CopyButton} text=${place.ref} label="Copy the reference" />
      <${CopyButton} text=${() => location.href} label="Copy the link" /></p>
  </aside>`;
}

function PageJump({ count, address, page }) {
  const [number, setNumber] = useState(page);
  useEffect(() => setNumber(page), [page]);
  const go = (event) => {
    event.preventDefault();
    location.hash = link({ collection: address.collection, document: address.name, page: Math.min(Math.max(1, number), count) });
  };
  return html`<form class="jump" onSubmit=${go}><label>Page <input type="number" min="1" max=${count} value=${number}
    onInput=${(event) => setNumber(Number(event.target.value))} /></label> <span class="quiet">of ${count}</span> <button>Go</button></form>`;
}
