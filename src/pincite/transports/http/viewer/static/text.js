// A document without pages: its canonical text in parts, every character as text, with a span marked.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { memo, useEpoch, useNear } from "./parts.js";

/**
 * @param source `part(number, signal)` and `partAt(offset, signal)` → `{number, count, start, text}`
 * @param spans  `{id, kind, label, start, end}`, in characters of the text
 */
export function TextColumn({ source, spans, selected, onSelect }) {
  const [state, setState] = useState({});
  const column = useRef(null);
  const follows = useRef(true); // until the reader scrolls: parts above the mark are loaded later and move it
  const epoch = useEpoch();
  const target = spans.find((span) => span.id === selected);
  useEffect(() => {
    const control = new AbortController();
    source
      .partAt(target ? target.start : 0, control.signal)
      .then((part) => setState({ count: part.count, focused: part.number }))
      .catch((error) => error.name !== "AbortError" && setState((before) => ({ ...before, error })));
    return () => control.abort();
  }, [source, target?.start, epoch]);
  useEffect(() => {
    if (state.focused && !column.current.querySelector("mark.selected")) {
      column.current.querySelector(`[data-part="${state.focused}"]`)?.scrollIntoView();
    }
  }, [state.focused]);
  const show = () => {
    if (!follows.current) return;
    const mark = column.current?.querySelector("mark.selected");
    if (mark) column.current.scrollTop += mark.getBoundingClientRect().top - column.current.getBoundingClientRect().top - column.current.clientHeight / 3;
  };
  useLayoutEffect(() => {
    follows.current = true;
    show();
  }, [selected, target?.start]);
  const release = () => {
    follows.current = false;
  };
  return html`<div class="pages text" ref=${column} data-scroll tabindex="0" role="region" aria-label="Text"
      onWheel=${release} onTouchMove=${release} onPointerDown=${release} onKeyDown=${release}>
    ${state.error && html`<p class="message" role="alert">${state.error.message}</p>`}
    <div class="sheet">
      ${Array.from({ length: state.count ?? 0 }, (_, number) => html`<${Part} key=${number} number=${number} source=${source}
        spans=${spans} selected=${selected} onSelect=${onSelect} wanted=${number === state.focused} onShown=${show} />`)}
    </div>
  </div>`;
}

function Part({ number, source, spans, selected, onSelect, wanted, onShown }) {
  const [element, near] = useNear("100%");
  const [part, setPart] = useState(null);
  const epoch = useEpoch();
  useEffect(() => {
    if (part || !(near || wanted)) return undefined;
    const control = new AbortController();
    source.part(number, control.signal).then(setPart).catch(() => {});
    return () => control.abort();
  }, [near, wanted, epoch]);
  useLayoutEffect(() => {
    if (part) onShown();
  }, [part, wanted]);
  const shown = useMemo(() => (part ? withSpans(lines(part), spans) : NONE), [part, spans]);
  return html`<div class=${part ? "part" : "part unread"} ref=${element} data-part=${number}>
    ${shown.map(([line, own]) => html`<${Line} key=${line.start} line=${line} spans=${own} onSelect=${onSelect}
      selected=${own.some((span) => span.id === selected) ? selected : null} />`)}
  </div>`;
}

const NONE = [];

/** `[line, spans in it]`, for the lines of one part. */
function withSpans(found, spans) {
  const near = spans.filter((span) => span.start < found.at(-1).end && span.end > found[0].start);
  return found.map((line) => {
    const own = near.filter((span) => span.start < line.end && span.end > line.start);
    return [line, own.length ? own : NONE];
  });
}

const TABLE_RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
const FENCE = /^\s*(```|~~~)/;

/** Lines with their place, counted in characters as the server does: a pair of surrogates is one. */
export function lines(part) {
  const found = [];
  let start = part.start;
  let isCode = false;
  for (const text of part.text.split("\n")) {
    const fence = FENCE.test(text);
    const heading = !isCode && /^(#{1,6})\s/.exec(text);
    const kind = fence || isCode ? "code" : heading ? `h${heading[1].length}` : /^\s*\|/.test(text) ? "table" : text.trim() ? "prose" : "blank";
    if (fence) isCode = !isCode;
    const length = size(text);
    const before = found.at(-1);
    const isRule = kind === "table" && before?.kind === "table" && TABLE_RULE.test(text);
    if (isRule) before.kind = "table head";
    // A passage may begin with the rule below its table's head.
    const isFirstRule = kind === "table" && !before && TABLE_RULE.test(text);
    found.push({ start, end: start + length, text, kind: isRule || isFirstRule ? "rule" : kind });
    start += length + 1;
  }
  return found;
}

const size = (text) => (/[\ud800-\udbff]/.test(text) ? [...text].length : text.length);

/** The characters of a text as offsets count them: a string, or a list where some are pairs of surrogates. */
const characters = (text) => (/[\ud800-\udbff]/.test(text) ? [...text] : text);

const joined = (part) => (typeof part === "string" ? part : part.join(""));

/** The cells of a row of a Markdown table as `[from, to]`, without the white space around them. */
export function cells(row) {
  const found = [];
  let from = -1;
  for (let at = 0; at < row.length; at++) {
    if (row[at] !== "|" || row[at - 1] === "\\") continue;
    if (from >= 0) found.push(trimmed(row, from, at));
    from = at + 1;
  }
  if (from >= 0 && joined(row.slice(from)).trim()) found.push(trimmed(row, from, row.length));
  return found;
}

function trimmed(row, from, to) {
  while (from < to && row[from] === " ") from++;
  while (to > from && row[to - 1] === " ") to--;
  return [from, to];
}

const Line = memo(function Line({ line, spans, selected, onSelect }) {
  const text = characters(line.text);
  const piece = (from, to) => pieces({ text: text.slice(from, to), start: line.start + from, spans, selected, onSelect });
  if (line.kind.startsWith("table")) {
    return html`<div class=${`line ${line.kind}`}>${cells(text).map(([from, to]) => html`<span class="cell" key=${from}>${piece(from, to)}</span>`)}</div>`;
  }
  const sign = /^h\d$/.test(line.kind) ? /^#+\s+/.exec(line.text)[0].length : 0;
  return html`<div class=${`line ${line.kind}`}>${sign > 0 && html`<span class="sign">${piece(0, sign)}</span>`}${piece(sign, text.length)}</div>`;
});

/** A part of a line, cut where spans begin and end. */
function pieces({ text, start, spans, selected, onSelect }) {
  const end = start + text.length;
  const within = spans.filter((span) => span.start < end && span.end > start);
  if (!within.length) return joined(text);
  const borders = [...new Set([start, end, ...within.flatMap((span) => [span.start, span.end])])]
    .filter((border) => border >= start && border <= end)
    .sort((one, other) => one - other);
  return borders.slice(0, -1).map((from, index) => {
    const part = joined(text.slice(from - start, borders[index + 1] - start));
    const covering = within.filter((span) => span.start <= from && span.end > from);
    const span = covering.find((one) => one.id === selected) ?? covering[0];
    if (!span) return part;
    const name = `${span.kind} ${span.id === selected ? "selected" : ""}`;
    if (!onSelect) return html`<mark class=${name}>${part}</mark>`;
    return html`<mark class=${`${name} choosable`} data-mark=${span.id} role="button" tabindex="0" aria-label=${span.label} onClick=${() => onSelect(span.id)}
      onKeyDown=${(event) => event.key === "Enter" && onSelect(span.id)}>${part}</mark>`;
  });
}

/** Lines of a text that has no spans, such as a cited passage. */
export const plainLines = (text) => lines({ start: 0, text }).map((line) => html`<${Line} key=${line.start} line=${line} spans=${NONE} />`);
