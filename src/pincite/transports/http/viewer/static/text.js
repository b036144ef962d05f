// A document without pages: its canonical text in parts, every character as text, with a span marked.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { memo, useConnection, useNear } from "./parts.js";

/**
 * @param source `part(number, signal)` and `partAt(offset, signal)` → `{number, count, start, text}`
 * @param spans  `{id, kind, label, start, end}`, in characters of the text
 * @param asRead whether the signs of Markdown are shown, and its lines as they are
 */
export function TextColumn({ source, spans, selected, onSelect, onPick, asRead, zoom }) {
  const [state, setState] = useState({});
  const column = useRef(null);
  const follows = useRef(true); // until the reader scrolls: parts above the mark are loaded later and move it
  const epoch = useConnection();
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
    // In signs of Markdown that are hidden there may be marks, too.
    const mark = [...(column.current?.querySelectorAll("mark.selected") ?? [])].find((one) => one.getClientRects().length);
    if (mark) column.current.scrollTop += mark.getBoundingClientRect().top - column.current.getBoundingClientRect().top - column.current.clientHeight / 3;
  };
  useLayoutEffect(() => {
    follows.current = true;
    show();
  }, [selected, target?.start]);
  useEffect(() => {
    const watching = new ResizeObserver(show);
    watching.observe(column.current);
    return () => watching.disconnect();
  }, []);
  const release = () => {
    follows.current = false;
  };
  return html`<div class=${`pages text ${asRead ? "as-read" : "rendered"}`} style=${{ "--zoom": zoom ?? 1 }} ref=${column} data-scroll tabindex="0" role="region" aria-label="Text"
      onMouseUp=${onPick && (() => getSelection().toString().trim() && onPick({ text: getSelection().toString().trim() }))} onWheel=${release} onTouchMove=${release} onPointerDown=${release} onKeyDown=${release}>
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
  const epoch = useConnection();
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
    ${blocked(shown, ([line, own]) => html`<${Line} key=${line.start} line=${line} spans=${own} onSelect=${onSelect}
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
const HEAD = /^(?:(?<heading>#{1,6}\s+)|(?<item>\s*(?:[-*+]|\d{1,9}[.)])\s+)|(?<quote>\s*(?:>\s?)+))/;
const MATTER = /^(---|\+{3})$/; // around front matter, which is shown as code
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;

/** Lines with their place, counted in characters as the server does: a pair of surrogates is one. */
export function lines(part) {
  const found = [];
  let start = part.start;
  let isCode = false;
  let border = !start && /^(---|\+{3})\n[^]*?\n\1\n/.test(part.text) ? MATTER : FENCE;
  for (const text of part.text.split("\n")) {
    const fence = border.test(text);
    const { heading, item, quote } = (!isCode && !fence && HEAD.exec(text)?.groups) || {};
    const before = found.at(-1);
    const isBar = !isCode && TABLE_RULE.test(text) && (!before || before.kind === "table");
    if (isBar && before) before.kind = "table head";
    const kind = fence ? "fence" : isCode ? "code" : isBar ? "bar" : RULE.test(text) ? "divider"
      : heading ? `h${heading.trim().length}` : /^\s*\|/.test(text) ? "table" : item ? "item" : quote ? "quote" : text.trim() ? "prose" : "blank";
    if (fence && isCode) border = FENCE;
    if (fence) isCode = !isCode;
    const length = size(text);
    found.push({ start, end: start + length, text, kind, sign: (kind === "divider" ? text : heading ?? item ?? quote ?? "").length });
    start += length + 1;
  }
  for (const block of blocks(found.map((line) => [line]))) style(block.map(([line]) => line));
  return found;
}

/** Give the lines of a block their styles: emphasis and links go on over the end of a line. */
function style(block) {
  if (PLAIN.test(block[0].kind)) return;
  const all = styles(block.map((line) => line.text.slice(line.sign)).join("\n"));
  let from = 0;
  let next = 0;
  for (const line of block) {
    const end = from + line.text.length - line.sign;
    const at = (offset) => Math.min(Math.max(offset, from), end) - from + line.sign;
    line.styles = [];
    for (; all[next]?.[0] < end; next++) {
      const [first, last, name] = all[next];
      if (last > from) line.styles.push([at(first), at(last), name]);
      if (last > end) break;
    }
    from = end + 1;
  }
}

/** Lines that are one block: a paragraph, an item with the lines that go on with it, a table, a code listing. */
function blocks(list) {
  const found = [];
  for (const one of list) {
    const [{ kind }] = one;
    const before = found.at(-1)?.at(-1)[0].kind;
    const goesOn = kind === "prose" ? /^(prose|item|quote)$/ : kind.startsWith("table") || kind === "bar" ? /^(table|bar)/ : kind === "quote" ? /^quote$/ : /^(code|fence)$/;
    if (before && goesOn.test(before) && (kind !== "blank" && !/^h\d|^item|^divider/.test(kind))) found.at(-1).push(one);
    else found.push([one]);
  }
  return found;
}

const TAG = "</?(?:a|b|br|center|code|col|colgroup|dd|div|dl|dt|em|figure|hr|i|img|li|ol|p|s|small|span|strong|sub|sup|table|tbody|td|tfoot|th|thead|tr|u|ul)\\b[^<>]{0,500}>|<!--.{0,500}?-->";
const INLINE = new RegExp(
  [
    "(?<escape>\\\\)(?=[!-/:-@[-`{-~])",
    "(?<tick>`+)(?<code>[^`](?:.{0,500}?[^`])?)\\k<tick>(?!`)",
    "(?<strong>\\*\\*|(?<!\\w)__)(?<bold>\\S(?:.{0,500}?\\S)?)\\k<strong>(?![*_])",
    "(?<em>\\*|(?<!\\w)_)(?<slanted>[^\\s*_](?:[^*_]{0,500}?[^\\s*_])?)\\k<em>(?!\\w)",
    "(?<open>!?\\[)(?<link>(?:[^\\[\\]]|\\[[^\\[\\]]{0,100}\\]){0,500})(?<close>\\]\\([^()\\s]{0,500}(?:\\([^()\\s]{0,100}\\))?[^()\\s]{0,500}(?:\\s+\"[^\"]{0,200}\")?\\))",
    `(?<tag>${TAG})`,
  ].join("|"),
  "gs",
);

/** Parts of a line as `[from, to, style]`; those of the style `sign` are Markdown's own. */
export function styles(text, from = 0, to = text.length, style = "") {
  const found = [];
  const add = (start, end, name) => end > start && found.push([start, end, name]);
  let at = from;
  for (const match of text.slice(from, to).matchAll(INLINE)) {
    const start = from + match.index;
    const end = start + match[0].length;
    const { escape, tick, strong, em, open, close, tag } = match.groups;
    const lead = (escape ?? tick ?? strong ?? em ?? open ?? tag).length;
    const tail = (close ?? tick ?? strong ?? em ?? "").length;
    const name = tick ? "code" : strong ? "strong" : em ? "em" : open ? "link" : "";
    add(at, start, style);
    add(start, start + lead, "sign");
    if (tick) add(start + lead, end - tail, `${style} code`.trim());
    else if (name) found.push(...styles(text, start + lead, end - tail, `${style} ${name}`.trim()));
    add(end - tail, end, "sign");
    at = end;
  }
  add(at, to, style);
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

/** What can be picked of a part by key: the lines of its text, and the cells of its tables. */
export const pickable = (part) =>
  lines(part).filter(({ kind }) => !UNSEEN.test(kind)).flatMap((line) => {
    const place = (at) => line.start + size(line.text.slice(0, at));
    const found = line.kind.startsWith("table") ? cells(line.text) : [[line.sign, line.text.length]];
    return found.filter(([from, to]) => to > from).map(([from, to]) => ({ text: line.text.slice(from, to), start: place(from), end: place(to) }));
  });

const UNSEEN = /^(fence|bar|blank|divider)$/;
const PLAIN = /^(code|fence|bar|blank|divider|table.*)$/;

const Line = memo(function Line({ line, spans, selected, onSelect }) {
  const text = characters(line.text);
  const place = typeof text === "string" ? (at) => at : (at) => [...line.text.slice(0, at)].length;
  const piece = (from, to) => pieces({ text: text.slice(from, to), start: line.start + from, spans, selected, onSelect });
  const inner = (from, to) => (line.styles ?? (line.kind.startsWith("table") ? styles(line.text, from, to) : [[from, to, ""]]))
    .map(([start, end, style]) => (style ? html`<span class=${style} key=${start}>${piece(place(start), place(end))}</span>` : piece(place(start), place(end))));
  const name = `line ${line.kind}`;
  if (line.kind.startsWith("table")) {
    return html`<div class=${name}>${cells(line.text).map(([from, to]) => html`<span class="cell" key=${from}>${inner(from, to)}</span>`)}</div>`;
  }
  const head = line.sign > 0 && html`<span class=${line.kind === "item" && !/\d/.test(line.text.slice(0, line.sign)) ? "bullet" : line.kind === "item" ? "number" : "sign"}>${piece(0, place(line.sign))}</span>`;
  const depth = line.kind === "item" ? Math.min(/^\s*/.exec(line.text)[0].length >> 1, 6) : 0;
  return html`<div class=${name} style=${depth ? { "--depth": depth } : undefined}>${head}${inner(line.sign, line.text.length)}</div>`;
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
    if (!onSelect || span.kind === "picked") return html`<mark class=${name}>${part}</mark>`;
    return html`<mark class=${`${name} choosable`} data-mark=${span.id} role="button" tabindex="0" aria-label=${span.label} onClick=${() => onSelect(span.id)}
      onKeyDown=${(event) => event.key === "Enter" && onSelect(span.id)}>${part}</mark>`;
  });
}

const blocked = (list, render) =>
  blocks(list).map((block) => html`<div class=${`block ${block[0][0].kind}`} key=${block[0][0].start}>${block.map((one) => [render(one), " "])}</div>`);

/** A text that has no spans, such as a cited passage. */
export const plainLines = (text) =>
  blocked(lines({ start: 0, text }).map((line) => [line, NONE]), ([line]) => html`<${Line} key=${line.start} line=${line} spans=${NONE} />`);
