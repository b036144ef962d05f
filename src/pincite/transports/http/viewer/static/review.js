// One value with its evidence, and what a person says of it: accepted, rejected, or what is right instead.

import { html, useCallback, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { Message, plural, useKeys } from "./parts.js";
import { SAID, shown, statusOf } from "./tree.js";

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

export function Detail({ row, onReview, onPick, isPicking, onNext }) {
  if (!row.evidence) return onReview && html`<${Item} row=${row} onReview=${onReview} />`;
  const { evidence } = row;
  const facts = [
    ["Label", evidence.label],
    ["In the document", evidence.raw !== null && evidence.raw !== undefined && evidence.raw !== shown(row.value) ? evidence.raw : undefined],
    ["Rule", evidence.rule],
    ["Page", evidence.page],
    ["Place", evidence.locator],
    ["Found", evidence.occurrences > 1 ? `${evidence.occurrences} times` : undefined],
  ].filter(([, value]) => value !== null && value !== undefined && value !== "");
  const { sign, word, says } = statusOf(evidence.status);
  return html`<div class="detail" role="group" aria-label=${row.path} tabindex="0">
    <p><b>${row.path}</b> <span class="status"><span aria-hidden="true">${sign}</span> ${word}</span></p>
    ${onReview && html`<${Review} row=${row} onReview=${onReview} onPick=${onPick} isPicking=${isPicking} onNext=${onNext} />`}
    <p class="quiet">${says}</p>
    ${evidence.warning && evidence.status !== "absent" && html`<p class="notice">${evidence.warning}</p>`}
    ${evidence.snippet && html`<blockquote>${evidence.snippet}</blockquote>`}
    ${facts.length > 0 && html`<dl>${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${shown(value)}</dd></div>`)}</dl>`}
    ${evidence.candidates?.length > 0 && html`<details key=${row.id}><summary>${plural(evidence.candidates.length, "refused candidate")}</summary>
      <ul>${evidence.candidates.map((one, index) => html`<li key=${index}><b>${shown(one.value)}</b> – ${one.reason}${one.snippet && html`<blockquote>${one.snippet}</blockquote>`}</li>`)}</ul></details>`}
  </div>`;
}

function Review({ row, onReview, onPick, isPicking, onNext }) {
  const [text, setText] = useState(null); // null while nothing is corrected
  const [span, setSpan] = useState(undefined);
  const [say, state] = useSaying(onReview);
  const input = useRef(null);
  const picked = useCallback((place) => {
    setText(place.text);
    setSpan(place.span);
    input.current?.focus();
  }, []);
  const isList = Array.isArray(row.value);
  const edit = () => {
    setText(row.value === null || row.value === undefined ? "" : isList ? row.value.join("; ") : shown(row.value));
    onPick(() => picked);
  };
  const leave = () => {
    setText(null);
    setSpan(undefined);
    onPick(null);
  };
  useEffect(() => {
    if (text !== null) input.current?.select();
  }, [text !== null]);
  const judge = async (verdict) => (await say(verdict)) && onNext();
  const save = async (event) => {
    event.preventDefault();
    if (await say("corrected", text, span)) leave();
  };
  useKeys(text === null && !state.busy ? { a: () => judge("accepted"), x: () => judge("rejected"), e: edit } : {});
  const { said } = row;
  return html`<div class="review">
    ${said && html`<p role="status">${SAID[said.verdict]}${said.verdict !== "accepted" && html`; extracted was <s>${shown(row.was)}</s>`}
      <button type="button" onClick=${() => say(null)}>Undo</button></p>`}
    ${text === null
      ? html`<p class="buttons"><button type="button" disabled=${state.busy} title="Accept (a)" onClick=${() => judge("accepted")}>Accept</button>
          <button type="button" disabled=${state.busy} title="Reject (x)" onClick=${() => judge("rejected")}>Reject</button>
          <button type="button" disabled=${state.busy} title="Correct (e)" onClick=${edit}>Correct</button></p>`
      : html`<form class="correct" onSubmit=${save} onKeyDown=${(event) => event.key === "Escape" && leave()}>
          <label>${isList ? "The right values, with ; between them" : "The right value"} <input type="text" ref=${input} value=${text} onInput=${(event) => setText(event.target.value)} autocomplete="off" /></label>
          <p class="quiet">Type it, or ${isPicking ? "click it in the document, or draw around it" : "pick it in the document"}.${span && " The picked place is its evidence."}</p>
          <p class="buttons"><button class="primary" disabled=${state.busy}>Save</button><button type="button" onClick=${leave}>Cancel</button></p></form>`}
    ${state.error && html`<${Message} error=${state.error} />`}
  </div>`;
}

/** All values with their evidence, for paper. */
export function Printed({ list, warnings }) {
  return html`<div class="printed-values"><table>
    <thead><tr><th>Field</th><th>Value</th><th>Status</th><th>In the document</th><th>Page</th></tr></thead>
    <tbody>${list.filter((row) => row.evidence).map((row) => html`<tr key=${row.id}><td>${row.path}</td>
      <td>${shown(row.value)}${row.said && row.said.verdict !== "accepted" && html` <s>${shown(row.was)}</s>`}</td>
      <td>${statusOf(row.evidence.status).word}${row.said && html`, ${row.said.verdict}`}</td><td>${row.evidence.snippet}</td><td>${row.evidence.page}</td></tr>`)}</tbody></table>
    ${warnings.length > 0 && html`<ul>${warnings.map((one, index) => html`<li key=${index}>${one}</li>`)}</ul>`}</div>`;
}
