// The results of all tasks with the same fields: a row for each document, each value leading to its place.

import { html, useState } from "./vendor/preact-htm.js";
import { exported, get } from "./api.js";
import { grid } from "./evidence.js";
import { download, link, Menu, Message, plural, useLoaded, Waiting, Windowed } from "./parts.js";
import { FORMS } from "./tasks.js";
import { shown, statusOf } from "./tree.js";

const ROW_PIXELS = 48; // as in style.css

export function Table({ id }) {
  const [failed, setFailed] = useState(null);
  const { value, error } = useLoaded((signal) => get("table", { task: id }, signal), [id], active);
  if (!value) return html`<${Waiting} error=${error}><a href="#tasks=all">All tasks</a><//>`;
  const columns = grid(value.fields.map((name, index) => Math.max(name.length, ...value.rows.map((row) => brief(row.cells[index]?.[0]).length))), 12);
  const save = (form) => async () => download(`results${form}`, await exported(id, form, true));
  const forms = FORMS.filter(([, , form]) => form.startsWith(".")).map(([name, says, form]) => [name, says, save(form)]);
  const head = html`<div class="record columns" style=${columns}><span>Document</span>${value.fields.map((name) => html`<span key=${name}>${name}</span>`)}</div>`;
  const row = (number) => html`<${Row} key=${number} row=${value.rows[number]} fields=${value.fields} columns=${columns} />`;
  return html`<main class="column wide">
    <header class="table-head"><h1>Values of ${plural(value.rows.length, "document")}</h1>
      <p class="quiet" role="status">${active(value) ? `${plural(active(value), "task")} to go.` : "All tasks with these fields."} Choose a value to see its place.</p>
      <div class="buttons head-buttons"><a class="button" href=${link({ tasks: "all", again: id })}>Run again</a><${Menu} label="Download" entries=${forms} onError=${setFailed} /></div></header>
    ${(failed ?? error) && html`<${Message} error=${failed ?? error} />`}
    <${Windowed} count=${value.rows.length} height=${ROW_PIXELS} row=${row} label="Results" head=${head} />
  </main>`;
}

const active = (table) => table.rows.filter((row) => row.status === "queued" || row.status === "running").length;

const brief = (value) => (/^\[\{/.test(value) ? plural(JSON.parse(value).length, "row") : shown(value));

function Row({ row, fields, columns }) {
  const isDone = row.status === "succeeded";
  return html`<div class="record" style=${columns}>
    <span class="row-name">${isDone ? html`<a href=${link({ task: row.task })}>${row.name}</a>` : row.name} <span class="quiet">${isDone ? row.engine : row.status}</span></span>
    ${isDone && fields.map((name, index) => {
      const [value, status] = row.cells[index];
      const { sign, word } = statusOf(status);
      return html`<a key=${name} class=${`value cell-value ${status}`} href=${link({ task: row.task, value: name })} aria-label=${`${name}: ${brief(value)}, ${word}`}>
        <span class="value-text">${brief(value)}</span><span class="mark-sign" aria-hidden="true">${sign}</span></a>`;
    })}</div>`;
}
