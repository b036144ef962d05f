// One value with its evidence, and what a person says of it: accepted, rejected, or what is right instead.

import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { ago, Message, plural, useKeys } from "./parts.js";
import { SAID, saidOf, shown, statusOf } from "./tree.js";

/** An item of a list, which may be removed. */
function Item({ row, onReview }) {
  const [say, state] = useSaying(onReview);
  const isAdded = row.said?.verdict === "added";
  useKeys(row.isRemoved ? {} : { x: () => say(isAdded ? null : "removed") });
  return html`<div class="detail" role="group" aria-label=${row.path} tabindex="0">
    <p><b>Row ${row.steps.at(-1) + 1}</b> ${row.said && html`<span role="status">${SAID[row.said.verdict]}</span>`}</p>
    <p class="buttons">${row.isRemoved
      ? html`<button type="button" disabled=${state.busy} onClick=${() => say(null)}>Undo</button>`
      : html`<button type="button" disabled=${state.busy} title="Remove (x)" onClick=${() => say(isAdded ? null : "removed")}>Remove this row</button>`}</p>
    <p class="quiet">${isAdded ? "You added this row." : "A removed row is left out of what goes on, and kept here."}</p>
    ${state.error && html`<${Message} error=${state.error} />`}
  </div>`;
}

/** `[say, state]`: `say(verdict, …)` resolves to whether it was kept. */
function useSaying(onReview) {
  const [state, setState] = useState({});
  const say = async (verdict, ...given) => {
    setState({ busy: true });
    const error = await onReview(verdict, ...given).then(() => undefined, (caught) => caught);
    setState({ error });
    return !error;
  };
  return [say, state];
}

export function Detail({ row, onReview, isEditing, children, ...editing }) {
  if (!row.evidence) return onReview && html`<${Item} row=${row} onReview=${onReview} />`;
  const { sign, word } = statusOf(row.status);
  return html`<div class="detail" role="group" aria-label=${row.path} tabindex="0">
    <p><b>${row.path}</b> ${!isEditing && html`<span class="status"><span aria-hidden="true">${sign}</span> ${word}</span>`}</p>
    ${onReview && html`<${Review} row=${row} onReview=${onReview} isEditing=${isEditing} ...${editing} />`}
    ${!isEditing && html`<${Proof} row=${row} />${children}`}
  </div>`;
}

/** What the document has for a value. */
function Proof({ row }) {
  const { evidence } = row;
  const isPlaced = row.status === "corrected" && evidence.locator;
  const facts = [
    ["Label", isPlaced ? undefined : evidence.label],
    ["In the document", evidence.raw !== null && evidence.raw !== undefined && evidence.raw !== shown(row.value) ? evidence.raw : undefined],
    ["Rule", evidence.rule],
    ["Page", evidence.page],
    ["Passage", evidence.page ? undefined : evidence.locator],
    ["Corrected", row.said?.verdict === "corrected" ? ago(row.said.at) : undefined],
    ["Found", evidence.occurrences > 1 ? `${evidence.occurrences} times` : undefined],
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
  return html`<p class="quiet">${isPlaced ? `A person put this in, from the place that is quoted here${evidence.warning ? `. pincite itself cannot confirm it: ${evidence.warning}` : ""}.` : statusOf(row.status).says}</p>
    ${!isPlaced && evidence.warning && evidence.locator && html`<p class="notice">${evidence.warning}</p>`}
    ${evidence.snippet && html`<blockquote>${evidence.row === null || evidence.row === undefined ? evidence.snippet : cells(evidence.snippet)}</blockquote>`}
    ${facts.length > 0 && html`<dl>${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${shown(value)}</dd></div>`)}</dl>`}
    ${evidence.candidates?.length > 0 && html`<details key=${row.id} open=${!evidence.locator}><summary>${plural(evidence.candidates.length, "refused candidate")}</summary>
      <ul>${evidence.candidates.map((one, index) => html`<li key=${index}><b>${shown(one.value)}</b> – ${one.reason}${one.snippet && html`<blockquote>${one.snippet}</blockquote>`}</li>`)}</ul></details>`}`;
}

/** The row of a table as its cells that are not empty. */
const cells = (row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()).filter(Boolean).join(" · ");

const before = (value) => (value === null || value === undefined ? "nothing was extracted" : html`extracted was <s>${shown(value)}</s>`);

function Review({ row, onReview, isEditing, onEdit, onPickByKey, place, onNext }) {
  const [text, setText] = useState("");
  const [say, state] = useSaying(onReview);
  const input = useRef(null);
  useEffect(() => {
    if (place?.text === undefined) return;
    setText(place.text);
    input.current.focus();
  }, [place]);
  const isList = Array.isArray(row.value);
  const initial = row.value === null || row.value === undefined ? "" : isList ? row.value.join("; ") : shown(row.value);
  const edit = () => {
    setText(initial);
    onEdit(true);
  };
  const isTyped = isEditing && text !== initial;
  useEffect(() => {
    window.onbeforeunload = isTyped ? (event) => event.preventDefault() : null;
    return () => (window.onbeforeunload = null);
  }, [isTyped]);
  useEffect(() => {
    if (isEditing) input.current.select();
  }, [isEditing]);
  const judge = async (verdict) => (await say(verdict)) && onNext();
  const save = async (event) => {
    event.preventDefault();
    if (await say("corrected", text, place?.span)) onEdit(false);
  };
  const { said } = row;
  const isCorrected = said?.verdict === "corrected"; // what a person put in needs no verdict of theirs
  const verdicts = isCorrected ? [] : [["Accept", "a", () => judge("accepted")], ["Reject", "x", () => judge("rejected")]];
  const actions = [...verdicts, [isCorrected ? "Correct again" : "Correct", "e", edit]];
  const keys = Object.fromEntries(actions.map(([, key, action]) => [key, action]));
  useKeys(isEditing || state.busy ? {} : isCorrected ? { ...keys, a: onNext } : keys);
  return html`<div class="review">
    ${said && !isEditing && html`<p role="status">${[row.status !== said.verdict && saidOf(row), said.verdict !== "accepted" && before(row.was)].filter(Boolean).map((one, index) => html`${index > 0 && "; "}${one}`)}</p>`}
    ${!isEditing
      ? html`<p class="buttons">${actions.map(([name, key, action]) => html`<button type="button" key=${key} disabled=${state.busy} title=${`${name} (${key})`} onClick=${action}>${name}</button>`)}
          ${said && html`<button type="button" disabled=${state.busy} onClick=${() => say(null)}>Undo</button>`}</p>`
      : html`<form class="correct" onSubmit=${save} onKeyDown=${(event) => event.key === "Escape" && onEdit(false)}>
          <label>${isList ? "The right values, with ; between them" : "The right value"} <input type="text" ref=${input} value=${text} onInput=${(event) => setText(event.target.value)} onKeyDown=${onPickByKey} autocomplete="off" /></label>
          <p class="quiet" role="status">${place?.span ? "The marked place is its evidence." : "Type it, or pick it in the document: click it, draw around it, or go there by ↑ ↓."}</p>
          <p class="buttons"><button class="primary" disabled=${state.busy}>Save</button><button type="button" onClick=${() => onEdit(false)}>Cancel</button></p></form>`}
    ${state.error && html`<${Message} error=${state.error} />`}
  </div>`;
}

/** All values with their evidence, for paper. */
export function Printed({ list, warnings }) {
  return html`<div class="printed-values"><table>
    <thead><tr><th>Field</th><th>Value</th><th>Status</th><th>In the document</th><th>Page</th></tr></thead>
    <tbody>${list.filter((row) => row.evidence).map((row) => html`<tr key=${row.id}><td>${row.path}</td>
      <td>${shown(row.value)}${row.said && row.said.verdict !== "accepted" && html` <s>${shown(row.was)}</s>`}</td>
      <td>${statusOf(row.status).word}${saidOf(row) && row.said.verdict !== row.status && html`, ${row.said.verdict}`}</td><td>${row.evidence.snippet}</td><td>${row.evidence.page}</td></tr>`)}</tbody></table>
    ${warnings.length > 0 && html`<ul>${warnings.map((one, index) => html`<li key=${index}>${one}</li>`)}</ul>`}</div>`;
}
