// Results of a search: documents, each with its passages as they are seen on the page.

import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { get, picture } from "./api.js";
import { search } from "./hits.js";
import { link, Message, plural, useLoaded, useNear } from "./parts.js";

const MOST = 50; // passages that the server answers with
const CROP_UNITS = 170; // height of the part of a page that is shown: some twelve lines
const AROUND = 8;

let opened = ""; // the hit that was opened last, for the way back

export function Results({ values, onMore }) {
  const list = useRef(null);
  const { value, error, loading } = useLoaded((signal, turn) => search(values, signal, turn > 0), [JSON.stringify(values)], (answer) => answer.freshness.some((one) => one.pending));
  useEffect(() => {
    if (opened) list.current?.querySelector(`[data-ref="${CSS.escape(opened)}"]`)?.focus();
    if (value) opened = "";
  }, [value]);
  if (error && !value) return html`<${Message} error=${error} />`;
  if (!value) return html`<${Message}>Searching…<//>`;
  const low = value.relevance !== null && value.relevance < 0.5;
  const count = value.passages.length;
  const word = value.corrected || values.q;
  const others = value.matching === 0 ? `No passage has “${word}”: what is shown is at best near it in meaning.`
    : value.matching < count && value.matching !== null ? `${plural(value.matching, "passage")} with “${word}”; the others are near it in meaning.` : "";
  const several = new Set(value.passages.map((one) => one.collection)).size > 1;
  return html`<p class="quiet" role="status">
      ${value.searched ? `${count ? `The best ${count} of` : "Nothing found in"} ${plural(value.searched, "passage")}` : "There is no passage, or none that fits the filters"}${loading ? " …" : "."}
      ${value.corrected && html` Searched for <b>${value.corrected}</b>.`}
      ${value.note && ` By words only: ${value.note}`}
      ${value.freshness.filter((one) => one.stale).map((one) => ` This may miss a change: ${one.reason}`)}
    </p>
    ${count > 0 && (others || low) && html`<p class="notice">${others || "The documents may not cover this: what was found is only near the question."}</p>`}
    <div class="results" ref=${list} data-scroll aria-busy=${String(loading)} onKeyDown=${walk}>
      ${value.groups.map((hits) => html`<${Group} key=${hits[0].ref} hits=${hits} values=${values} several=${several} />`)}
      ${count > 0 && count < MOST && count < value.searched && !values.n && html`<p><button type="button" onClick=${onMore}>Show more</button></p>`}
    </div>`;
}

/** Arrow keys go from hit to hit. */
function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey) return;
  const hits = [...event.currentTarget.querySelectorAll("a.result")];
  const next = hits[hits.indexOf(document.activeElement) + step];
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

function Group({ hits, values, several }) {
  const { collection, document, label } = hits[0];
  const hasPages = hits.some((one) => one.boxes.length);
  const { value } = useLoaded((signal) => (hasPages ? get("document", { collection, name: document }, signal) : Promise.resolve(null)), [collection, document]);
  return html`<section class="group">
    <h2><a href=${link({ collection, document })}>${label}</a> <span class="quiet">${several && `${collection} · `}${label !== document && document}${hits.length > 1 && ` · ${hits.length} passages`}</span></h2>
    <ol>${hits.map((one) => html`<li key=${one.ref}><${Result} found=${one} values=${values} sizes=${value?.sizes} /></li>`)}</ol>
  </section>`;
}

function Result({ found, values, sizes }) {
  const [page] = found.pages;
  const remember = () => {
    opened = found.ref;
  };
  return html`<a class="result" data-ref=${found.ref} href=${link({ ref: found.ref, ...values })} onClick=${remember}>
    <span class="quiet where">${found.breadcrumb && found.breadcrumb !== found.label && html`<span>${found.breadcrumb}</span>`}
      ${page !== undefined && html`<span>page ${found.pages.length > 1 ? `${page}–${found.pages.at(-1)}` : page}</span>`}
      ${found.clause && html`<span>clause ${found.clause}</span>`}
      ${found.kind && html`<span>${found.kind}</span>`}</span>
    <span class="result-body">
      ${found.boxes.length > 0 && html`<${Crop} found=${found} size=${sizes?.[found.boxes[0].page - 1]} />`}
      <span class="excerpt">${found.excerpt.map(([text, matches]) => (matches ? html`<mark>${text}</mark>` : text))}</span>
    </span>
  </a>`;
}

/** The passage, cut out of the picture of its page. */
function Crop({ found, size }) {
  const [element, near] = useNear("50%");
  const [url, setUrl] = useState("");
  const { page } = found.boxes[0];
  useEffect(() => {
    if (!near || url || !size) return undefined;
    const control = new AbortController();
    picture({ collection: found.collection, name: found.document, page }, control.signal).then(setUrl).catch(() => {});
    return () => control.abort();
  }, [near, size, page]);
  const boxes = found.boxes.filter((box) => box.page === page);
  const [x, y, width, height] = region(boxes, size ?? [612, 792]);
  return html`<span class="crop" ref=${element} aria-hidden="true" style=${{ aspectRatio: `${width} / ${height}` }}>
    ${url && html`<svg viewBox=${`${x} ${y} ${width} ${height}`}><image href=${url} width=${size[0]} height=${size[1]} preserveAspectRatio="none" />
      ${boxes.map((box) => html`<rect x=${box.x0} y=${box.y0} width=${box.x1 - box.x0} height=${box.y1 - box.y0} />`)}</svg>`}
  </span>`;
}

/** `[x, y, width, height]` of the part of a page that has the boxes, from the first of them on. */
export function region(boxes, [pageWidth, pageHeight]) {
  const [left, right] = [Math.min(...boxes.map((box) => box.x0)), Math.max(...boxes.map((box) => box.x1))];
  const width = Math.min(pageWidth, Math.max(right - left + 2 * AROUND, pageWidth / 2));
  const x = Math.min(Math.max(0, left - AROUND), pageWidth - width);
  const y = Math.max(0, Math.min(...boxes.map((box) => box.y0)) - AROUND);
  const height = Math.min(Math.max(...boxes.map((box) => box.y1)) + AROUND - y, CROP_UNITS, pageHeight - y);
  return [x, y, width, height];
}
