// Evidence: the document on one side, the values on the other, each leading to its other side.

import { html, useCallback, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { CopyButton, download, memo, Menu, Message, plural, useKeys, Windowed } from "./parts.js";
import { pageAt, Pages } from "./pages.js";
import { Detail, Printed } from "./review.js";
import { pickable, TextColumn } from "./text.js";
import { corrected, count, layout, marks, rows, SAID, saidOf, shown, spans, STATUS, statusOf } from "./tree.js";

const ROW_PIXELS = 48;
const STEPS = { ArrowDown: [1], ArrowUp: [-1], PageDown: [1, true], PageUp: [-1, true] }; // to lines, and to pages
const FOCUS_FRAMES = 20; // to wait for a row: a list scrolls, learns of it and renders

/**
 * @param result   the result of a task, as JSON
 * @param source   see `Pages`
 * @param locators where the text of each locator begins, for a document without pages
 * @param onReview keeps what a person says of a value: `(row, verdict, value, span)`, resolves to all that was said
 * @param valueAt  resolves to the value alone of a line that is picked: `(span, share of the line's width)`
 * @param tables   the fields that are lists of objects
 * @param links    where else the task leads to
 * @param exports  `[label, what it is, download]` of each further form of the values
 * @param initial  the value that is chosen at first; without it the first one is
 */
export function Evidence({ title, result, source, sizes, locators, onReview, valueAt, tables, links, exports, initial = null }) {
  const [corrections, setCorrections] = useState(result.corrections ?? {});
  const all = useMemo(() => rows(result.data, result.evidence, corrections), [result, corrections]);
  const list = useMemo(() => all.filter((one) => !one.isRemoved), [all]);
  const [selected, setSelected] = useState(initial ?? list.find((one) => one.evidence)?.id);
  const [error, setError] = useState(null);
  const [filter, setFilter] = useState("");
  const [isEditing, setEditing] = useState(false);
  const [place, setPlace] = useState(null); // what is picked in the document: its text once that is known
  const [printing, setPrinting] = useState(false);
  const hasPages = sizes.length > 0;
  const places = useMemo(() => [...(hasPages ? marks(list) : spans(list, locators ?? {})), ...(place?.span ? [{ id: "picked", kind: "picked", boxes: place.boxes, start: place.span[0], end: place.span[1] }] : [])], [list, locators, place]);
  const visible = useMemo(() => (filter ? list.filter((row) => row.status === filter).map((row) => ({ ...row, name: row.path, depth: 0 })) : layout(all, onReview && tables)), [all, filter, tables]);
  const row = all.find((one) => one.id === selected);
  const counts = useMemo(() => count(list), [list]);
  const reviewed = list.filter((one) => one.evidence && one.said).length;
  const choose = useCallback(
    (id) => {
      setFilter((before) => (before && list.find((one) => one.id === id)?.status !== before ? "" : before));
      setSelected(id);
      setEditing(false);
      setPlace(null);
    },
    [list],
  );
  const show = (status) => {
    const first = list.find((one) => one.status === status);
    if (first) choose(first.id);
    setFilter(status);
  };
  const body = useRef(null);
  const values = useMemo(() => list.filter((one) => one.evidence && (!filter || one.status === filter)), [list, filter]);
  const step = (by) => {
    const next = values[Math.min(Math.max(values.findIndex((one) => one.id === selected) + by, 0), values.length - 1)];
    if (next) goTo(next);
  };
  // The chosen row may be far down: the list then renders it some frames later.
  const focusRow = (frames = FOCUS_FRAMES) =>
    requestAnimationFrame(() => {
      const chosen = body.current?.querySelector(".windowed .selected");
      if (chosen) chosen.focus({ preventScroll: true });
      else if (frames) focusRow(frames - 1);
    });
  useEffect(() => void focusRow(), []);
  const goTo = (next) => {
    choose(next.id);
    focusRow();
  };
  const goOn = () => {
    const at = values.findIndex((one) => one.id === selected);
    const next = [...values.slice(at + 1), ...values.slice(0, at)].find((one) => !one.said);
    if (next) goTo(next);
  };
  const walk = (by) => () => isAmongValues() && step(by);
  useKeys({ ArrowDown: walk(1), j: walk(1), ArrowUp: walk(-1), k: walk(-1) });
  useEffect(() => {
    window.onbeforeprint = () => setPrinting(true);
    window.onafterprint = () => setPrinting(false);
  }, []);
  const review = onReview && (async (verdict, value, span) => {
    setCorrections(await onReview(row, verdict, value, span));
    focusRow(); // what had the focus is gone: the field, or a button that is no longer there
  });
  const edit = (isOn) => {
    setEditing(isOn);
    setPlace(null);
    if (!isOn) focusRow();
  };
  const addTo = async (place) => {
    try {
      const said = await onReview({ steps: place.adds }, "added");
      setCorrections(said);
      const path = `${place.path}[${place.adds.at(-1)}].`;
      setSelected(rows(result.data, result.evidence, said).find((one) => one.evidence && one.path.startsWith(path))?.id);
      setError(null);
    } catch (caught) {
      setError(caught);
    }
  };
  const pick = isEditing && (async ({ text, ...picked }) => {
    setPlace(picked);
    const value = picked.share !== undefined && (await valueAt(picked.span, picked.share).catch(() => ""));
    setPlace((before) => (before === picked ? { ...picked, text: value || text } : before));
  });
  const read = hasPages
    ? async (page) => sizes[page - 1] && (await source.lines(page)).filter((line) => line.text).map((line) => ({ ...line, boxes: [{ ...line, page }] }))
    : (number) => source.part(number).then(pickable, () => undefined);
  /** Where picking by key begins: at what is picked, else at the value, else at the page that is seen. */
  const origin = async () => {
    if (place?.span) return place;
    const [at] = row.evidence ? spans([row], locators ?? {}) : [];
    if (!at) return { block: hasPages ? pageAt(body.current.querySelector(".pages")) : 0, span: [-1, -1] };
    return { block: hasPages ? row.evidence.page ?? 1 : (await source.partAt(at.start)).number, span: [at.start, at.end] };
  };
  const pickByKey = async (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const from = await origin();
    const line = await lineBeside(read, from, ...step);
    if (line) pick(event.shiftKey && place?.text ? joined(place, line) : line);
  };
  const focus = visible.findIndex((one) => one.id === selected || (one.cells && [...one.cells.values()].some((cell) => cell.id === selected)));
  const column = { source, selected: place?.span ? "picked" : selected, onSelect: (id) => goTo({ id }), onPick: pick };
  const warnings = html`<${Warnings} warnings=${result.warnings ?? []} />`;
  const asJson = () => corrected(result, corrections);
  const forms = [
    [onReview ? "Corrected values (JSON)" : "Values (JSON)", "Your fields, as this page shows them", () => download(`${title}.values.json`, new Blob([asJson()]))],
    ...(exports ?? []),
    ["Evidence (JSON)", "What was extracted, from which places, and each correction", () => download(`${title}.evidence.json`, new Blob([JSON.stringify({ ...result, corrections }, null, 2)]))],
    ["Print", "Values and what the document says, on paper or as PDF", () => print()],
  ];
  return html`<main class="reader evidence" ref=${body}>
    <header class="reader-head">
      <h1>${title}</h1>
      <p class="quiet">${`Extracted by “${result.engine}”`}${result.timing?.total_seconds !== undefined ? ` in ${Math.ceil(result.timing.total_seconds)} s` : ""}${reviewed ? ` · ${reviewed} of ${list.filter((one) => one.evidence).length} reviewed` : ""}</p>
      <div class="buttons head-buttons">${links}<${CopyButton} text=${asJson} label="Copy the values" />
        <${Menu} label="Download" onError=${setError} entries=${forms} /></div>
    </header>
    <div class="split">
      ${hasPages
        ? html`<${Pages} ...${column} sizes=${sizes} marks=${places} />`
        : html`<${TextColumn} ...${column} spans=${places} />`}
      <section class="side values" aria-label="Extracted values">
        <div class="legend" role="group" aria-label="Show">
          <button type="button" aria-pressed=${filter === ""} onClick=${() => show("")}>All ${Object.values(counts).reduce((one, other) => one + other, 0).toLocaleString("en")}</button>
          ${Object.entries(STATUS).filter(([name]) => counts[name]).map(([name, { sign, word }]) =>
            html`<button type="button" key=${name} aria-pressed=${filter === name} title=${STATUS[name].says} onClick=${() => show(filter === name ? "" : name)}>
              <span aria-hidden="true">${sign}</span> ${word} ${counts[name].toLocaleString("en")}</button>`)}
        </div>
        <${Windowed} count=${visible.length} height=${ROW_PIXELS} label="Values" focus=${focus}
          row=${(number) => html`<${Shown} key=${visible[number].id} row=${visible[number]} selected=${selected} onSelect=${choose} onAdd=${addTo} />`} />
        ${error && html`<${Message} error=${error} />`}
        ${row && (row.evidence || typeof row.steps.at(-1) === "number") ? html`<${Detail} key=${row.id} row=${row} onReview=${review} onEdit=${edit} onPickByKey=${pickByKey} isEditing=${isEditing} place=${place} onNext=${goOn}>${warnings}<//>` : html`<div class="detail">${warnings}</div>`}
      </section>
    </div>
    ${printing && html`<${Printed} list=${list} warnings=${result.warnings ?? []} />`}
  </main>`;
}

/**
 * The next line in a direction, as it is picked by a click at its end; undefined after the last one.
 *
 * @param read  resolves to the lines of a page or of a part of a text; to undefined where there is none
 * @param isFar whether the first line of the next page or part is meant
 */
async function lineBeside(read, { block, span }, by, isFar) {
  for (let number = isFar ? block + by : block; ; number += by) {
    const found = await read(number);
    if (!found) return isFar ? picked((await read(block))?.at(by > 0 ? -1 : 0), block) : undefined; // the end of the last one
    const ahead = number !== block ? found : found.filter((line) => (by > 0 ? line.start >= span[1] : line.end <= span[0]));
    const line = ahead.at(by > 0 || isFar ? 0 : -1);
    if (line) return picked(line, number);
  }
}

const picked = (line, block) => line && { text: line.text, span: [line.start, line.end], boxes: line.boxes, block, share: 1 };

/** Two picked lines as one place. */
function joined(one, other) {
  const [first, last] = one.span[0] < other.span[0] ? [one, other] : [other, one];
  return { ...other, text: `${first.text} ${last.text}`, span: [first.span[0], last.span[1]], boxes: first.boxes && [...first.boxes, ...last.boxes], share: undefined };
}

/** Arrow keys go from value to value wherever the focus is among the values. */
const isAmongValues = () => Boolean(document.activeElement.closest(".values"));

function Shown({ row, selected, onSelect, onAdd }) {
  if (row.adds) return html`<div class="record adding"><button type="button" aria-label=${`Add a row to ${row.path}`} onClick=${() => onAdd(row)}>+ Add a row</button></div>`;
  if (row.cells) return html`<${Record} row=${row} selected=${selected} onSelect=${onSelect} />`;
  if (row.columns) return html`<div class="record columns" style=${grid(row.columns.values())}><span>#</span>${[...row.columns.keys()].map((name) => html`<span key=${name}>${name}</span>`)}</div>`;
  return html`<${Row} row=${row} isSelected=${row.id === selected} onSelect=${onSelect} />`;
}

/** Columns of a table, each as wide as the length of its longest text asks for; the first has `first` rem. */
export function grid(lengths, first = 2.4) {
  const widths = [first, ...[...lengths].map((length) => 2.6 + 0.55 * Math.min(Math.max(length, 5), 24))];
  return { gridTemplateColumns: widths.map((width) => `minmax(${width}rem, ${width}fr)`).join(" "), minWidth: `${widths.reduce((one, other) => one + other)}rem` };
}

/** One object of a list, as the row of a table. */
function Record({ row, selected, onSelect }) {
  const { item } = row;
  return html`<div class=${item.isRemoved ? "record removed" : "record"} style=${grid(row.columns.values())}><button type="button" class=${`row-number ${item.id === selected ? "selected" : ""}`} aria-pressed=${item.id === selected}
      aria-label=${`Row ${row.number} of ${item.path.replace(/\[\d+\]$/, "")}${item.said ? `, ${item.said.verdict}` : ""}`} onClick=${() => onSelect(item.id)}>${row.number}${item.said && SAID[item.said.verdict][0]}</button>${[...row.columns.keys()].map((name) => {
    const cell = row.cells.get(name);
    if (item.isRemoved) return html`<span key=${name}><s>${shown(cell?.value)}</s></span>`;
    return cell ? html`<${Cell} key=${name} row=${cell} isSelected=${cell.id === selected} onSelect=${onSelect} />` : html`<span key=${name}></span>`;
  })}</div>`;
}

const Cell = memo(function Cell({ row, isSelected, onSelect }) {
  const { sign, word } = statusOf(row.status);
  return html`<button type="button" class=${`value cell-value ${row.status} ${isSelected ? "selected" : ""}`} aria-pressed=${isSelected} data-id=${row.id}
      aria-label=${`${row.path}: ${shown(row.value)}, ${saidOf(row) || word}`} onClick=${() => onSelect(row.id)}>
    <span class="value-text">${shown(row.value)}</span><span class="mark-sign" aria-hidden="true">${(saidOf(row) || sign)[0]}</span></button>`;
});

const Row = memo(function Row({ row, isSelected, onSelect }) {
  const indent = { paddingInlineStart: `${0.75 + Math.min(row.depth, 8) * 0.9}rem` };
  if (!row.evidence) return html`<div class="value heading" style=${indent}>${row.name}</div>`;
  const { sign, word } = statusOf(row.status);
  return html`<button type="button" class=${`value ${row.status} ${isSelected ? "selected" : ""}`} style=${indent} aria-pressed=${isSelected}
      data-id=${row.id} onClick=${() => onSelect(row.id)}>
    <span class="value-name">${row.name}</span><span class="value-text">${shown(row.value)}</span>
    <span class="status">${saidOf(row) || html`<span aria-hidden="true">${sign}</span> ${word}`}</span>
  </button>`;
});

function Warnings({ warnings }) {
  if (!warnings.length) return null;
  return html`<details><summary>${plural(warnings.length, "warning")} of the extraction</summary><ul>${warnings.slice(0, 500).map((one, index) => html`<li key=${index}>${one}</li>`)}</ul></details>`;
}
