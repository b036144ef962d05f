// One document to read: its pages or its text with the cited passage marked, outline, find, zoom, and the way from hit to hit.

import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { get, picture } from "./api.js";
import { CopyAs, QuoteCheck } from "./cite.js";
import { search, searchOf } from "./hits.js";
import { link, Message, parameters, plural, useKeys, useLoaded, Waiting } from "./parts.js";
import { Pages } from "./pages.js";
import { plainLines, TextColumn } from "./text.js";

const ZOOMS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];

let asReadBefore = false; // as it was chosen last, for the next document

/** What pages and text of a document are loaded from, over HTTP. */
export function httpSource(address) {
  return {
    picture: (page, signal) => picture({ ...address, page }, signal),
    lines: async (page, signal) => (await get("lines", { ...address, page }, signal)).lines,
    part: (number, signal) => get("text", { ...address, part: number }, signal),
    partAt: (at, signal) => get("text", { ...address, at }, signal),
  };
}

export function Citation({ reference, server }) {
  const { value, error } = useLoaded((signal) => get("citation", { ref: reference }, signal), [reference]);
  if (error && (!value || value.given !== reference)) {
    return html`<main class="column"><h1>This citation cannot be opened</h1><p class="ref">${reference}</p><${Message} error=${error} />
      <p><a href="#">All documents</a></p></main>`;
  }
  if (!value) return html`<${Waiting} />`;
  return html`<${DocumentView} key=${`${value.place.collection}/${value.place.document}`} collection=${value.place.collection}
    name=${value.place.document} cited=${value} server=${server} />`;
}

export function DocumentView({ collection, name, cited, server }) {
  const address = { collection, name };
  const { value, error } = useLoaded((signal) => get("document", address, signal), [collection, name]);
  if (!value) return html`<${Waiting} error=${error}><a href="#">All documents</a><//>`;
  return html`<${Reader} document=${value} address=${address} cited=${cited} server=${server} />`;
}

function Reader({ document: shown, address, cited, server }) {
  const source = useMemo(() => httpSource(address), [address.collection, address.name]);
  const place = cited?.place;
  const { sizes } = shown;
  const hasPages = sizes.length > 0 && (!place || place.boxes.length > 0 || place.pages.length > 0);
  const given = Number(parameters().page) || 0;
  const [page, setPage] = useState(given || 1);
  const [turn, setTurn] = useState(given ? { page: given } : null);
  const [zoom, setZoom] = useState(1);
  const [asRead, setAsRead] = useState(asReadBefore);
  const [side, setSide] = useState("");
  const [spots, setSpots] = useState({ found: [], at: -1 });
  useEffect(() => {
    if (given) setTurn({ page: given });
  }, [given]);
  useEffect(() => setSpots({ found: [], at: -1 }), [place?.ref]);
  const marks = useMemo(() => marksOf(place, spots.found), [place, spots.found]);
  const selected = spots.at >= 0 ? `spot ${spots.at}` : place && "cited";
  const turnTo = (number) => setTurn({ page: Math.min(Math.max(1, number), sizes.length) });
  const enlarge = (step) => setZoom((before) => ZOOMS[Math.min(Math.max(0, ZOOMS.indexOf(before) + step), ZOOMS.length - 1)]);
  const find = useRef(null);
  const keys = { f: () => find.current.focus(), "Ctrl+f": () => find.current.select(), o: () => setSide(side ? "" : "outline"), "+": () => enlarge(1), "=": () => enlarge(1), "-": () => enlarge(-1), 0: () => setZoom(1) };
  if (hasPages) Object.assign(keys, { ArrowLeft: () => turnTo(page - 1), ArrowRight: () => turnTo(page + 1) });
  useKeys(keys);
  const read = (on) => {
    asReadBefore = on;
    setAsRead(on);
  };
  return html`<main class="reader">
    <header class="reader-head">
      <${Way} cited=${cited} />
      <h1>${shown.label}</h1>
      <p class="quiet">${[shown.label !== shown.name && shown.name, shown.format, shown.pages && plural(shown.pages, "page")].filter(Boolean).join(" · ")}</p>
      <p class="search-in">${address.collection && html`<a href=${link({ collection: address.collection, in: address.name })}>Search this document</a>`}
      ${server.tasks && server.extensions.some((one) => address.name.toLowerCase().endsWith(one)) && html`<a href=${link({ tasks: "all", from: address.collection, name: address.name })}>Get values from it</a>`}</p>
    </header>
    <div class="tools" role="toolbar" aria-label="Reading">
      <button type="button" aria-pressed=${side === "outline"} title="Outline (o)" onClick=${() => setSide(side ? "" : "outline")}>Outline</button>
      <${Find} address=${address} input=${find} spots=${spots} onSpots=${setSpots} />
      ${hasPages && sizes.length > 1 && html`<${PageTurn} count=${sizes.length} page=${page} onTurn=${turnTo} />`}
      <span class="zoom"><button type="button" aria-label="Smaller" title="Smaller (-)" onClick=${() => enlarge(-1)}>−</button>
        <span role="status">${Math.round(zoom * 100)} %</span><button type="button" aria-label="Larger" title="Larger (+)" onClick=${() => enlarge(1)}>+</button></span>
      ${!hasPages && html`<button type="button" aria-pressed=${asRead} title="The text with all its signs, as it was read" onClick=${() => read(!asRead)}>As read</button>`}
    </div>
    ${shown.shortfall && html`<p class="notice">${shown.shortfall}</p>`}
    ${shown.unread_pictures > 0 && html`<p class="notice">${plural(shown.unread_pictures, "picture")} in this document may have text, which was not read: that needs text recognition (OCR).</p>`}
    ${shown.hidden > 0 && html`<p class="notice">${plural(shown.hidden, "text")} in this document cannot be seen on its pages and ${shown.hidden === 1 ? "is" : "are"} left out of search and extraction.</p>`}
    <div class=${`split ${side && "with-outline"}`}>
      ${side && html`<${Outline} address=${address} onSpot=${(spot) => setSpots({ found: [spot], at: 0 })} />`}
      ${hasPages
        ? html`<${Pages} source=${source} sizes=${sizes} marks=${marks} selected=${selected} turn=${turn} onPage=${setPage} zoom=${zoom} />`
        : html`<${TextColumn} source=${source} spans=${marks} selected=${selected} asRead=${asRead} zoom=${zoom} />`}
      ${cited && html`<${CitedPassage} cited=${cited} server=${server} />`}
    </div>
  </main>`;
}

function marksOf(place, found) {
  const marks = found.map((spot, index) => ({ ...spot, id: `spot ${index}`, kind: "found" }));
  if (place) marks.unshift({ ...place, id: "cited", kind: "cited", label: "Cited passage" });
  if (place && !place.boxes.length && place.pages.length) marks[0].boxes = [{ page: place.pages[0], x0: 0, y0: 0, x1: 0, y1: 0 }];
  return marks;
}

/** Back to the results, and to the hits before and after. */
function Way({ cited }) {
  const values = searchOf(parameters());
  const hits = useLoaded((signal) => (values.q && cited ? search(values, signal) : Promise.resolve(null)), [JSON.stringify(values)]).value?.groups.flat() ?? [];
  const at = hits.findIndex((one) => one.ref === cited?.given);
  const to = (number) => link({ ref: hits[number].ref, ...values });
  const keys = { Escape: () => (location.hash = link(values)) };
  if (at > 0) keys.p = () => (location.hash = to(at - 1));
  if (at >= 0 && at + 1 < hits.length) keys.n = () => (location.hash = to(at + 1));
  useKeys(values.q ? keys : {});
  if (!values.q) return html`<nav class="way" aria-label="Back"><a href=${link({ collection: parameters().collection })}>‹ All documents</a></nav>`;
  return html`<nav class="way" aria-label="Results"><a href=${link(values)} title="Back to the results (Esc)">‹ Results</a>
    ${at >= 0 && html`${at > 0 && html`<a href=${to(at - 1)} title="Previous hit (p)">Previous</a>`}
      <span class="quiet">${at + 1} of ${hits.length}</span>
      ${at + 1 < hits.length && html`<a href=${to(at + 1)} title="Next hit (n)">Next</a>`}`}</nav>`;
}

/** Words in this document: Enter goes from place to place. */
function Find({ address, input, spots, onSpots }) {
  const [words, setWords] = useState("");
  const [sought, setSought] = useState("");
  const step = async (by) => {
    if (!words.trim()) return;
    if (words !== sought) {
      const { spots: found } = await get("find", { ...address, q: words }).catch(() => ({ spots: [] }));
      setSought(words);
      onSpots({ found, at: found.length ? 0 : -1 });
    } else if (spots.found.length) onSpots({ ...spots, at: (spots.at + by + spots.found.length) % spots.found.length });
  };
  const keyed = (event) => {
    if (event.key === "Escape") {
      setWords("");
      setSought("");
      onSpots({ found: [], at: -1 });
      input.current.blur();
    }
    if (event.key === "Enter") {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    }
  };
  return html`<span class="find"><input type="search" ref=${input} aria-label="Find in this document" placeholder="Find (f)" value=${words}
      onInput=${(event) => setWords(event.target.value)} onKeyDown=${keyed} maxlength="200" />
    <span role="status">${sought && words === sought && (spots.found.length ? `${spots.at + 1} of ${spots.found.length}` : "Not found")}</span>
    ${spots.found.length > 1 && [["Previous place", "‹", -1], ["Next place", "›", 1]].map(([says, sign, by]) => html`<button type="button" key=${by} aria-label=${says} title=${says} onClick=${() => step(by)}>${sign}</button>`)}</span>`;
}

function PageTurn({ count, page, onTurn }) {
  const go = (event) => {
    event.preventDefault();
    onTurn(Number(event.target.elements.page.value));
  };
  return html`<form class="jump" onSubmit=${go}><button type="button" aria-label="Previous page" title="Previous page (←)" disabled=${page < 2} onClick=${() => onTurn(page - 1)}>‹</button>
    <label>Page <input type="number" name="page" min="1" max=${count} value=${page} /></label>
    <span class="quiet">of ${count}</span>
    <button type="button" aria-label="Next page" title="Next page (→)" disabled=${page >= count} onClick=${() => onTurn(page + 1)}>›</button></form>`;
}

function Outline({ address, onSpot }) {
  const { value, error } = useLoaded((signal) => get("outline", address, signal), [address.collection, address.name]);
  return html`<nav class="outline" aria-label="Outline" tabindex="0">
    ${error && html`<${Message} error=${error} />`}
    ${value && !value.spots.length && html`<p class="quiet">This document has no headings.</p>`}
    <ul>${value?.spots.map((spot) => html`<li key=${`${spot.start} ${spot.level}`} style=${{ "--depth": spot.level }}>
      <button type="button" onClick=${() => onSpot(spot)}>${spot.label}${spot.boxes.length > 0 && html` <span class="quiet">${spot.boxes[0].page}</span>`}</button></li>`)}</ul></nav>`;
}

function CitedPassage({ cited, server }) {
  const { place } = cited;
  return html`<aside class="side" aria-label="Cited passage">
    <h2>Cited passage</h2>
    ${!cited.current && html`<p class="notice">The document has changed since this was cited, but not this passage.</p>`}
    <p class="quiet">${[place.breadcrumb, place.pages.length && `page ${place.pages.join(", ")}`].filter(Boolean).join(" · ")}</p>
    ${place.url && html`<p><a href=${place.url} target="_blank" rel="noreferrer">${place.url}</a></p>`}
    <${CopyAs} cited=${cited} />
    <blockquote class="cited-text rendered" tabindex="0">${plainLines(cited.text)}</blockquote>
    <p class="ref">${place.ref}</p>
    ${server.toolsets.includes("citations") && html`<${QuoteCheck} key=${place.ref} reference=${place.ref} />`}
  </aside>`;
}
