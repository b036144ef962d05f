// Evidence: the document on one side, the values on the other, each leading to its other side.

import { html, useCallback, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { CopyButton, memo, plural, Windowed } from "./parts.js";
import { Pages } from "./pages.js";
import { count, marks, rows, shown, STATUS } from "./tree.js";

const ROW_PIXELS = 48;

/**
 * @param result the result of a task, as JSON
 * @param source see `Pages`
 * @param text   returns the column of a document without pages, from what is selected and what selects
 */
export function Evidence({ title, result, source, sizes, text }) {
  const list = useMemo(() => rows(result.data, result.evidence), [result]);
  const places = useMemo(() => marks(list), [list]);
  const [selected, setSelected] = useState(null);
  const [filter, setFilter] = useState("");
  const visible = useMemo(() => (filter ? list.filter((row) => row.evidence?.status === filter) : list), [list, filter]);
  const row = list.find((one) => one.id === selected);
  const counts = useMemo(() => count(list), [list]);
  const choose = useCallback(
    (id) => {
      setFilter((before) => (before && list.find((one) => one.id === id)?.evidence?.status !== before ? "" : before));
      setSelected(id);
    },
    [list],
  );
  const body = useRef(null);
  useKeys(body, visible, selected, choose);
  const json = () => JSON.stringify(result, null, 2);
  return html`<main class="reader evidence" ref=${body}>
    <header class="reader-head">
      <h1>${title}</h1>
      <p class="quiet">engine ${result.engine}${result.timing?.total_seconds !== undefined ? ` · ${result.timing.total_seconds} s` : ""}</p>
      <p class="buttons head-buttons"><${CopyButton} text=${() => JSON.stringify(result.data, null, 2)} label="Copy the values" />
        <button type="button" onClick=${() => download(`${title}.json`, json())}>Download the JSON</button></p>
    </header>
    <div class="split">
      ${sizes.length ? html`<${Pages} source=${source} sizes=${sizes} marks=${places} selected=${selected} onSelect=${choose} />` : text(selected, choose)}
      <section class="side values" aria-label="Extracted values">
        <div class="legend" role="group" aria-label="Show">
          <button type="button" aria-pressed=${filter === ""} onClick=${() => setFilter("")}>All ${Object.values(counts).reduce((one, other) => one + other, 0).toLocaleString("en")}</button>
          ${Object.entries(STATUS).filter(([name]) => counts[name]).map(([name, { sign, word }]) =>
            html`<button type="button" key=${name} aria-pressed=${filter === name} title=${STATUS[name].says} onClick=${() => setFilter(filter === name ? "" : name)}>
              <span aria-hidden="true">${sign}</span> ${word} ${counts[name].toLocaleString("en")}</button>`)}
        </div>
        <${Windowed} count=${visible.length} height=${ROW_PIXELS} label="Values" focus=${visible.findIndex((one) => one.id === selected)}
          row=${(number) => html`<${Row} key=${visible[number].id} row=${visible[number]} isSelected=${visible[number].id === selected} onSelect=${choose} />`} />
        ${row ? html`<${Detail} row=${row} />` : html`<${Warnings} warnings=${result.warnings ?? []} />`}
      </section>
    </div>
  </main>`;
}

/** Arrow keys go from value to value wherever the focus is in the view. */
function useKeys(body, visible, selected, choose) {
  useEffect(() => {
    const move = (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
      if (!step || event.ctrlKey || event.metaKey || !event.target.closest(".values")) return;
      const values = visible.filter((row) => row.evidence);
      const at = values.findIndex((row) => row.id === selected);
      const next = values[Math.min(Math.max(at + step, 0), values.length - 1)];
      if (!next) return;
      event.preventDefault();
      choose(next.id);
      requestAnimationFrame(() => body.current?.querySelector(".value.selected")?.focus({ preventScroll: true }));
    };
    const element = body.current;
    element.addEventListener("keydown", move);
    return () => element.removeEventListener("keydown", move);
  });
}

const Row = memo(function Row({ row, isSelected, onSelect }) {
  const indent = { paddingInlineStart: `${0.75 + Math.min(row.depth, 8) * 0.9}rem` };
  if (!row.evidence) return html`<div class="value heading" style=${indent}>${row.name}</div>`;
  const { sign, word } = STATUS[row.evidence.status] ?? STATUS.absent;
  return html`<button type="button" class=${`value ${row.evidence.status} ${isSelected ? "selected" : ""}`} style=${indent} aria-pressed=${isSelected}
      data-id=${row.id} onClick=${() => onSelect(row.id)}>
    <span class="value-name">${row.name}</span><span class="value-text">${shown(row.value)}</span>
    <span class="status"><span aria-hidden="true">${sign}</span> ${word}</span>
  </button>`;
});

function Detail({ row }) {
  const { evidence } = row;
  const facts = [
    ["Label", evidence.label],
    ["In the document", evidence.raw !== null && evidence.raw !== undefined && evidence.raw !== shown(row.value) ? evidence.raw : undefined],
    ["Rule", evidence.rule],
    ["Page", evidence.page],
    ["Place", evidence.locator],
    ["Found", evidence.occurrences > 1 ? `${evidence.occurrences} times` : undefined],
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
  const { sign, word, says } = STATUS[evidence.status] ?? STATUS.absent;
  return html`<div class="detail" role="status" tabindex="0">
    <p><b>${row.path}</b> <span class="status"><span aria-hidden="true">${sign}</span> ${word}</span></p>
    <p class="quiet">${says}</p>
    ${evidence.warning && evidence.status !== "absent" && html`<p class="notice">${evidence.warning}</p>`}
    ${evidence.snippet && html`<blockquote>${evidence.snippet}</blockquote>`}
    ${facts.length > 0 && html`<dl>${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${shown(value)}</dd></div>`)}</dl>`}
    ${evidence.candidates?.length > 0 && html`<details key=${row.id}><summary>${plural(evidence.candidates.length, "refused candidate")}</summary>
      <ul>${evidence.candidates.map((one, index) => html`<li key=${index}><b>${shown(one.value)}</b> – ${one.reason}${one.snippet && html`<blockquote>${one.snippet}</blockquote>`}</li>`)}</ul></details>`}
  </div>`;
}

function Warnings({ warnings }) {
  if (!warnings.length) return html`<p class="quiet detail">Choose a value, or a mark on the page.</p>`;
  return html`<details class="detail"><summary>${plural(warnings.length, "warning")}</summary><ul>${warnings.slice(0, 500).map((one, index) => html`<li key=${index}>${one}</li>`)}</ul></details>`;
}

function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const anchor = document.createElement("a");
  Object.assign(anchor, { href: url, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
