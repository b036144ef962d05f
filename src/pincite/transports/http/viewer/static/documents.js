// The library: every document with what was read of it, and search as one types.

import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { get, request, upload } from "./api.js";
import { NothingRead, NothingServed } from "./first.js";
import { ago, Confirmed, FileButton, link, Message, Opening, parameters, plural, Sent, useKeys, useLoaded, useNarrow, useSending, Windowed } from "./parts.js";
import { Results } from "./results.js";

const TYPING_MS = 120;
const BLOCK = 100; // documents of one request
const ROW_PIXELS = 60;
const NARROW_ROW_PIXELS = 104; // the name, and three lines for what was not read and why
const LEADS = { ArrowDown: "focus", Enter: "click" }; // what a key in the search box does to the best hit

export function Documents({ server }) {
  const given = parameters();
  const [query, setQuery] = useState(given.q ?? "");
  const [settled, setSettled] = useState(query);
  const [collection, setCollection] = useState(given.collection ?? "");
  const [filters, setFilters] = useState({ type: given.type, kind: given.kind, normative: given.normative, clause: given.clause, n: given.n });
  const [within, setWithin] = useState(given.in ?? ""); // the one document that is searched
  const [version, setVersion] = useState(0);
  const box = useRef(null);
  const values = { q: settled, collection, in: within, ...(settled ? filters : {}) };
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [query]);
  useEffect(() => {
    const address = link(values);
    history.replaceState(null, "", address === "#" ? location.pathname : address);
  }, [JSON.stringify(values)]);
  useKeys({ "/": () => box.current.focus(), "Ctrl+k": () => box.current.focus() });
  const best = () => settled === query.trim() && document.querySelector('.results[aria-busy="false"] a.result');
  if (!server.collections.length) return html`<${NothingServed} />`;
  const listed = collection || server.collections[0];
  return html`<main class="column">
    <h1 class="unseen">Documents</h1>
    <div class="search">
      <label class="unseen" for="q">Search the documents</label>
      <input id="q" type="search" ref=${box} value=${query} onInput=${(event) => setQuery(event.target.value)} autocomplete="off" spellcheck=${false}
        onKeyDown=${(event) => LEADS[event.key] && (event.preventDefault(), (best() || null)?.[LEADS[event.key]]())} placeholder=${within ? `Search ${within}` : "Search the documents"} maxlength="2000" />
      <kbd aria-hidden="true">/</kbd>
    </div>
    <div class="filters">
      ${within
        ? html`<button type="button" onClick=${() => setWithin("")} title="Search all documents again">In ${within} <span aria-hidden="true">✕</span></button>`
        : server.collections.length > 1 &&
          html`<${Choice} label="Collection" value=${settled ? collection : listed} values=${server.collections} none=${settled && "All collections"} onChange=${setCollection} />`}
      ${server.library && settled && html`<${KnowledgeFilters} filters=${filters} onChange=${setFilters} library=${server.library} />`}
    </div>
    ${server.uploads && !settled && html`<${Adding} server=${server} onAdded=${() => { setCollection(server.library); setVersion((count) => count + 1); }} />`}
    ${settled
      ? html`<${Results} values=${Object.fromEntries(Object.entries(values).filter(([, value]) => value))} onMore=${() => setFilters({ ...filters, n: 50 })} />`
      : html`<${List} key=${`${listed} ${version}`} collection=${listed} server=${server} />`}
  </main>`;
}

/** Files dropped anywhere on the page, or chosen, go into the library, one after the other. */
function Adding({ server, onAdded }) {
  const [files, send] = useSending(async (file, onProgress) => {
    const form = new FormData();
    form.append("file", file, file.name);
    const added = await upload("api/library", form, onProgress).done;
    return { says: added.reason || added.incomplete || added.outcome, failed: added.outcome === "failed" };
  });
  const add = (chosen) => send(chosen).then(onAdded);
  useEffect(() => {
    window.ondragover = (event) => event.preventDefault();
    window.ondrop = (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) add([...event.dataTransfer.files]);
    };
    return () => (window.ondragover = window.ondrop = null);
  }, []);
  return html`<div class="drop"><${FileButton} label="Add to the library" multiple=${true} accept=${server.library_extensions} onFiles=${add} /> <span class="quiet">or drop files anywhere on this page.</span>
    <${Sent} files=${files} /></div>`;
}

function Choice({ label, value, values, none, onChange }) {
  return html`<label class="choice"><span>${label}</span>
    <select value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${none && html`<option value="">${none}</option>`}
      ${values.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
    </select></label>`;
}

function KnowledgeFilters({ filters, onChange, library }) {
  const { value } = useLoaded((signal) => get("documents", { collection: library, count: 0 }, signal), [library]);
  const types = Object.keys(value?.types ?? {});
  const set = (name) => (chosen) => onChange({ ...filters, [name]: chosen });
  return html`${types.length > 1 && html`<${Choice} label="Document" value=${filters.type ?? ""} values=${types} none="Any type" onChange=${set("type")} />`}
    <${Choice} label="Passage" value=${filters.kind ?? ""} values=${Object.keys(value?.kinds ?? {})} none="Any kind" onChange=${set("kind")} />
    <label class="choice"><input type="checkbox" checked=${filters.normative === "true"}
      onChange=${(event) => set("normative")(event.target.checked ? "true" : "")} /> <span>Normative only</span></label>
    <label class="choice"><span>Clause</span><input class="clause" type="search" placeholder="5.3" value=${filters.clause ?? ""}
      onInput=${(event) => set("clause")(event.target.value.trim())} /></label>`;
}

const COLOURS = 6; // of style.css
const colour = (index) => `var(--colour-${index})`;

/** What the collection has, in numbers and bars. */
function Overview({ of, value }) {
  return html`<section class="overview" aria-label="Overview">
    <dl>${[[of, "documents"], [value.pages, "pages"], [value.chunks, "passages"]].filter(([count]) => count).map(([count, name]) =>
      html`<div key=${name}><dd>${count.toLocaleString("en")}</dd><dt>${name}</dt></div>`)}</dl>
    <${Shares} label="Formats" counts=${value.formats} /><${Shares} label="Types" counts=${value.types} /><${Shares} label="Passages" counts=${value.kinds} />
    <${Shares} label="Languages" counts=${value.languages} unit=" %" /><${Shares} label="Length, in characters" counts=${value.sizes} inOrder=${true} /></section>`;
}

/** How much there is of each, as one bar; the largest first unless they have an order. */
function Shares({ label, counts, unit = "", inOrder }) {
  const all = Object.entries(counts);
  if (!inOrder) all.sort(([, one], [, other]) => other - one);
  const shown = all.length > COLOURS ? [...all.slice(0, COLOURS - 1), ["other", all.slice(COLOURS - 1).reduce((sum, [, count]) => sum + count, 0)]] : all;
  return shown.length > 0 && html`<div class="share"><h2>${label}</h2>
    <div class="bar-of" aria-hidden="true">${shown.map(([name, count], index) => html`<span key=${name} style=${{ flexGrow: count, background: colour(index) }}></span>`)}</div>
    <p class="quiet">${shown.map(([name, count], index) => html`<span key=${name}><i style=${{ background: colour(index) }} aria-hidden="true"></i>${name} ${count.toLocaleString("en")}${unit}</span>`)}</p></div>`;
}

function List({ collection, server }) {
  const [contains, setContains] = useState("");
  const [gaps, setGaps] = useState(false);
  const [said, setSaid] = useState(null);
  const [blocks, setBlocks] = useState({});
  const [changes, setChanges] = useState(0);
  const narrow = useNarrow();
  const head = useLoaded((signal) => get("documents", { collection, contains, gaps, count: BLOCK }, signal), [collection, contains, gaps, changes], (listing) => listing.freshness.pending);
  const asked = useRef(new Set());
  useEffect(() => {
    asked.current = new Set([0]);
    setBlocks(head.value ? { 0: head.value.documents } : {});
  }, [head.value]);
  if (head.error && !head.value) return html`<${Message} error=${head.error} />`;
  if (!head.value) return html`<${Opening} what=" the documents" />`;
  const { total, of, gaps: unread, freshness } = head.value;
  const change = server.uploads && collection === server.library && (async (action, name) => {
    const say = (text, isBusy) => setSaid({ text: `${name}: ${text}`, isBusy });
    say(action === "reread" ? "reading it again …" : "removing it …", true);
    try {
      const answer = await (await request(`api/library/${action}?${new URLSearchParams({ name })}`, { method: "POST" })).json();
      say(answer.reason || (answer.outcome === "removed" ? "removed from the library." : "read again."));
    } catch (error) {
      say(error.message);
    }
    setChanges((count) => count + 1);
  });
  if (!of) return html`<${NothingRead} isLibrary=${collection === server.library} uploads=${server.uploads} pending=${freshness.pending} />`;
  const isTall = narrow && unread > 0;
  const row = (number) => {
    const block = Math.floor(number / BLOCK);
    if (!asked.current.has(block)) {
      asked.current.add(block);
      get("documents", { collection, contains, gaps, first: block * BLOCK, count: BLOCK })
        .then((answer) => setBlocks((before) => ({ ...before, [block]: answer.documents })))
        .catch(() => asked.current.delete(block));
    }
    return html`<${Row} key=${number} collection=${collection} isTall=${isTall} document=${blocks[block]?.[number % BLOCK]} onChange=${change} />`;
  };
  return html`<${Overview} of=${of} value=${head.value} />
    <div class="list-head">
      <p class="quiet" role="status">${plural(total, "document")}${total !== of ? ` of ${of.toLocaleString("en")}` : ""}${unread ? `, ${unread} not read in full` : ""}.
        ${freshness.stale ? ` May miss a change: ${freshness.reason}` : ` Compared with the files ${ago(freshness.checked_at)}.`}</p>
      ${freshness.pending > 0 && html`<p class="reading" role="status"><progress max=${of + freshness.pending} value=${of} aria-label="Documents read"></progress> ${plural(freshness.pending, "file")} still to read</p>`}
      ${of > 12 && html`<label class="choice"><span>Filter by name</span><input type="search" value=${contains} onInput=${(event) => setContains(event.target.value)} /></label>`}
      ${(unread > 0 || gaps) && html`<label class="choice"><input type="checkbox" checked=${gaps} onChange=${(event) => setGaps(event.target.checked)} /> <span>Not read in full only</span></label>`}
      ${said && html`<p class="reading" role="status">${said.isBusy && html`<progress aria-label=${said.text}></progress>`} ${said.text}</p>`}
    </div>
    <${Windowed} count=${total} height=${isTall ? NARROW_ROW_PIXELS : ROW_PIXELS} row=${row} label="Documents" />`;
}

function Row({ collection, document, isTall, onChange }) {
  const name = isTall ? "row tall" : "row";
  if (!document) return html`<div class=${name} aria-busy="true"></div>`;
  const facts = [document.format, document.type, document.pages && plural(document.pages, "page"), !document.failure && plural(document.chunks, "passage")];
  const gap = document.failure || (document.waiting && "Changed; not read again yet.") || document.shortfall;
  const body = html`<span class="row-name"><b>${document.label}</b>${document.label !== document.name && html` <span class="quiet">${document.name}</span>`}</span>
    <span class="row-facts quiet">${facts.filter(Boolean).join(" · ")}
      ${document.hidden > 0 && html`<span class="flag" title="Text that cannot be seen on the pages: not searched and not quoted.">${plural(document.hidden, "invisible text")} left out</span>`}
      ${gap && html`<span class="flag" title=${gap}>${document.failure ? "Not read" : "Incomplete"}: ${gap}</span>`}</span>`;
  const main = document.failure ? html`<div class=${`${name} failed`}>${body}</div>` : html`<a class=${name} href=${link({ collection, document: document.name })}>${body}</a>`;
  if (!onChange) return main;
  return html`<div class="changeable">${main}<span class="row-buttons"><button type="button" aria-label=${`Read ${document.name} again`} onClick=${() => onChange("reread", document.name)}>Re-read</button>
    <${Confirmed} label="Remove" name=${document.name} question="Remove it" onYes=${() => onChange("remove", document.name)} /></span></div>`;
}
