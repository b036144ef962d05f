// A document without pages: its canonical text in parts, every character as text, with a span marked.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact-htm.js";
import { useEpoch, useNear } from "./parts.js";

/**
 * @param source `part(number, signal)` and `partAt(offset, signal)` → `{number, count, start, text}`
 * @param spans  `{id, kind, label, start, end}`, in characters of the text
 */
export function TextColumn({ source, spans, selected, onSelect }) {
  const [state, setState] = useState({});
  const column = useRef(null);
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
    const mark = column.current?.querySelector("mark.selected");
    if (mark) column.current.scrollTop += mark.getBoundingClientRect().top - column.current.getBoundingClientRect().top - column.current.clientHeight / 3;
  };
  useLayoutEffect(show, [selected, target?.start]);
  return html`<div class="pages text" ref=${column} data-scroll tabindex="0" role="region" aria-label="Text">
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
    if (part && wanted) onShown();
  }, [part, wanted]);
  return html`<div class=${part ? "part" : "part unread"} ref=${element} data-part=${number}>
    ${part && lines(part).map((line) => html`<${Line} key=${line.start} line=${line} spans=${spans} selected=${selected} onSelect=${onSelect} />`)}
  </div>`;
}

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
    found.push({ start, end: start + length, text, kind });
    start += length + 1;
  }
  return found;
}

const size = (text) => (/[\ud800-\udbff]/.test(text) ? [...text].length : text.length);

function cut(text, from, to) {
  return /[\ud800-\udbff]/.test(text) ? [...text].slice(from, to).join("") : text.slice(from, to);
}

function Line({ line, spans, selected, onSelect }) {
  const within = spans.filter((span) => span.start < line.end && span.end > line.start);
  if (!within.length) return html`<div class=${`line ${line.kind}`}>${line.text}</div>`;
  const borders = [...new Set([line.start, line.end, ...within.flatMap((span) => [span.start, span.end])])]
    .filter((border) => border >= line.start && border <= line.end)
    .sort((one, other) => one - other);
  const pieces = borders.slice(0, -1).map((from, index) => {
    const text = cut(line.text, from - line.start, borders[index + 1] - line.start);
    const covering = within.filter((span) => span.start <= from && span.end > from);
    const span = covering.find((one) => one.id === selected) ?? covering[0];
    if (!span) return text;
    const name = `${span.kind} ${span.id === selected ? "selected" : ""}`;
    if (!onSelect) return html`<mark class=${name}>${text}</mark>`;
    return html`<mark class=${`${name} choosable`} data-mark=${span.id} role="button" tabindex="0" aria-label=${span.label} onClick=${() => onSelect(span.id)}
      onKeyDown=${(event) => event.key === "Enter" && onSelect(span.id)}>${text}</mark>`;
  });
  return html`<div class=${`line ${line.kind}`}>${pieces}</div>`;
}
