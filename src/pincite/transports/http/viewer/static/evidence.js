// Evidence: the document on one side, the values on the other, each leading to its other side.

import { html, useCallback, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { CopyButton, memo, plural, useKeys, Windowed } from "./parts.js";
import { Pages } from "./pages.js";
import { Detail, Printed } from "./review.js";
import { TextColumn } from "./text.js";
import { count, csv, expected, layout, marks, rows, SAID, shown, spans, STATUS } from "./tree.js";

const ROW_PIXELS = 48;
const CELL_REM = 7;

/**
 * @param result   the result of a task, as JSON
 * @param source   see `Pages`
 * @param locators where the text of each locator begins, for a document without pages
 * @param onReview keeps what a person says of a value: `(row, verdict, value, span)`, resolves to all that was said
 */
export function Evidence({ title, result, source, sizes, locators, onReview }) {
  const [corrections, setCorrections] = useState(result.corrections ?? {});
  const list = useMemo(() => rows(result.data, result.evidence, corrections), [result, corrections]);
  const [selected, setSelected] = useState(null);
  const [filter, setFilter] = useState("");
  const [picking, setPicking] = useState(null); // what is done with a place that is picked
  const [printing, setPrinting] = useState(false);
  const hasPages = sizes.length > 0;
  const places = useMemo(() => (hasPages ? marks(list) : spans(list, locators ?? {})), [list, locators]);
  const visible = useMemo(() => (filter ? list.filter((row) => row.evidence?.status === filter) : layout(list)), [list, filter]);
  const row = list.find((one) => one.id === selected);
  const counts = useMemo(() => count(list), [list]);
  const reviewed = Object.keys(corrections).length;
  const choose = useCallback(
    (id) => {
      setFilter((before) => (before && list.find((one) => one.id === id)?.evidence?.status !== before ? "" : before));
      setSelected(id);
      setPicking(null);
    },
    [list],
  );
  const body = useRef(null);
  const values = useMemo(() => list.filter((one) => one.evidence && (!filter || one.evidence.status === filter)), [list, filter]);
  const step = (by) => {
    const next = values[Math.min(Math.max(values.findIndex((one) => one.id === selected) + by, 0), values.length - 1)];
    if (!next) return;
    choose(next.id);
    if (!isAmongValues()) return;
    requestAnimationFrame(() => body.current?.querySelector(".value.selected")?.focus({ preventScroll: true }));
  };
  const walk = (by) => () => isAmongValues() && step(by);
  useKeys({ ArrowDown: walk(1), j: walk(1), ArrowUp: walk(-1), k: walk(-1) });
  useEffect(() => {
    if (!printing) return;
    print();
    setPrinting(false);
  }, [printing]);
  const review = onReview && (async (verdict, value, span) => setCorrections(await onReview(row, verdict, value, span)));
  const pick = picking && ((picked) => picking(picked));
  const focus = visible.findIndex((one) => one.id === selected || (one.cells && [...one.cells.values()].some((cell) => cell.id === selected)));
  const column = { source, selected, onSelect: choose, onPick: pick };
  return html`<main class="reader evidence" ref=${body}>
    <header class="reader-head">
      <h1>${title}</h1>
      <p class="quiet">engine ${result.engine}${result.timing?.total_seconds !== undefined ? ` · ${result.timing.total_seconds} s` : ""}${reviewed ? ` · ${reviewed} reviewed` : ""}</p>
      <p class="buttons head-buttons"><${CopyButton} text=${() => JSON.stringify(result.data, null, 2)} label="Copy the values" />
        <button type="button" onClick=${() => download(`${title}.json`, JSON.stringify({ ...result, corrections }, null, 2), "application/json")}>Download the JSON</button>
        <button type="button" onClick=${() => download(`${title}.csv`, csv(list), "text/csv")}>CSV</button>
        <button type="button" title="The right values, for pincite eval" onClick=${() => download("expected.json", JSON.stringify(expected(list), null, 2), "application/json")}>expected.json</button>
        <button type="button" onClick=${() => setPrinting(true)}>Print</button></p>
    </header>
    <div class="split">
      ${hasPages
        ? html`<${Pages} ...${column} sizes=${sizes} marks=${places} />`
        : html`<${TextColumn} ...${column} spans=${places} />`}
      <section class="side values" aria-label="Extracted values">
        <div class="legend" role="group" aria-label="Show">
          <button type="button" aria-pressed=${filter === ""} onClick=${() => setFilter("")}>All ${Object.values(counts).reduce((one, other) => one + other, 0).toLocaleString("en")}</button>
          ${Object.entries(STATUS).filter(([name]) => counts[name]).map(([name, { sign, word }]) =>
            html`<button type="button" key=${name} aria-pressed=${filter === name} title=${STATUS[name].says} onClick=${() => setFilter(filter === name ? "" : name)}>
              <span aria-hidden="true">${sign}</span> ${word} ${counts[name].toLocaleString("en")}</button>`)}
        </div>
        <${Windowed} count=${visible.length} height=${ROW_PIXELS} label="Values" focus=${focus}
          row=${(number) => html`<${Shown} key=${visible[number].id} row=${visible[number]} selected=${selected} onSelect=${choose} />`} />
        ${row ? html`<${Detail} key=${row.id} row=${row} onReview=${review} onPick=${setPicking} isPicking=${Boolean(picking)} onNext=${() => step(1)} />` : html`<${Warnings} warnings=${result.warnings ?? []} />`}
      </section>
    </div>
    ${printing && html`<${Printed} list=${list} warnings=${result.warnings ?? []} />`}
  </main>`;
}

/** Arrow keys go from value to value wherever the focus is among the values. */
const isAmongValues = () => Boolean(document.activeElement.closest(".values"));

function Shown({ row, selected, onSelect }) {
  if (row.cells) return html`<${Record} row=${row} selected=${selected} onSelect=${onSelect} />`;
  if (row.columns) return html`<div class="record columns" style=${grid(row.columns)}><span>#</span>${[...row.columns].map((name) => html`<span key=${name}>${name}</span>`)}</div>`;
  return html`<${Row} row=${row} isSelected=${row.id === selected} onSelect=${onSelect} />`;
}

const grid = (columns) => ({ gridTemplateColumns: `2.2rem repeat(${columns.size}, minmax(${CELL_REM}rem, 1fr))`, minWidth: `${2.2 + columns.size * CELL_REM}rem` });

/** One object of a list, as the row of a table. */
function Record({ row, selected, onSelect }) {
  return html`<div class="record" style=${grid(row.columns)}><span class="quiet">${row.number}</span>${[...row.columns].map((name) => {
    const cell = row.cells.get(name);
    return cell ? html`<${Cell} key=${name} row=${cell} isSelected=${cell.id === selected} onSelect=${onSelect} />` : html`<span key=${name}></span>`;
  })}</div>`;
}

const status = (row) => STATUS[row.evidence.status] ?? STATUS.absent;

const Cell = memo(function Cell({ row, isSelected, onSelect }) {
  const { sign, word } = status(row);
  return html`<button type="button" class=${`value cell-value ${row.evidence.status} ${isSelected ? "selected" : ""}`} aria-pressed=${isSelected} data-id=${row.id}
      aria-label=${`${row.path}: ${shown(row.value)}, ${row.said ? SAID[row.said.verdict] : word}`} onClick=${() => onSelect(row.id)}>
    <span class="value-text">${shown(row.value)}</span><span class="mark-sign" aria-hidden="true">${row.said ? SAID[row.said.verdict].split(" ")[0] : sign}</span></button>`;
});

const Row = memo(function Row({ row, isSelected, onSelect }) {
  const indent = { paddingInlineStart: `${0.75 + Math.min(row.depth, 8) * 0.9}rem` };
  if (!row.evidence) return html`<div class="value heading" style=${indent}>${row.name}</div>`;
  const { sign, word } = status(row);
  return html`<button type="button" class=${`value ${row.evidence.status} ${isSelected ? "selected" : ""}`} style=${indent} aria-pressed=${isSelected}
      data-id=${row.id} onClick=${() => onSelect(row.id)}>
    <span class="value-name">${row.name}</span><span class="value-text">${shown(row.value)}</span>
    <span class="status">${row.said ? SAID[row.said.verdict] : html`<span aria-hidden="true">${sign}</span> ${word}`}</span>
  </button>`;
});

function Warnings({ warnings }) {
  if (!warnings.length) return html`<p class="quiet detail">Choose a value, or a mark on the page.</p>`;
  return html`<details class="detail"><summary>${plural(warnings.length, "warning")}</summary><ul>${warnings.slice(0, 500).map((one, index) => html`<li key=${index}>${one}</li>`)}</ul></details>`;
}

function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  Object.assign(anchor, { href: url, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
