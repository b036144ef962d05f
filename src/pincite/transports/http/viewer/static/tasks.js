// Tasks: a document and a schema in, values with evidence out; what runs is followed, what fails says why.

import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { exported, get, request, upload } from "./api.js";
import { httpSource } from "./document.js";
import { Evidence } from "./evidence.js";
import { EXAMPLES, SchemaEditor, written } from "./schema.js";
import { ago, Confirmed, download, FileButton, link, Message, parameters, plural, Sent, useLoaded, useSending, Waiting } from "./parts.js";

export const FORMS = [
  ["CSV", "The same as a table", ".csv"],
  ["XLSX", "The same for spreadsheets", ".xlsx"],
  ["Test case (expected.json)", "To measure pincite by your corrections with “pincite eval”", "expected"],
];
const FIELDS = "pincite-fields";
const LISTED = 20; // served documents that are offered at once
const NEXT = { queued: "Waits for its turn.", cancelled: "Was cancelled." };

const all = async (path, signal) => (await request(path, { signal })).json();

export function Tasks({ server }) {
  const [version, setVersion] = useState(0);
  const [failed, setFailed] = useState(null);
  const { value: page, error } = useLoaded((signal) => all("/tasks?limit=50", signal), [version], () => true); // others send tasks, too
  const reload = () => setVersion((count) => count + 1);
  const list = useRef(null);
  const [sent, setSent] = useState([]); // the tasks of the last form; the only one opens as soon as it is done
  const isListed = page?.tasks.some((task) => task.task_id === sent.at(-1));
  const done = page?.tasks.filter((task) => task.status === "succeeded").map((task) => task.task_id).join();
  const { value: counts } = useLoaded((signal) => (done ? get("counts", { tasks: done }, signal) : Promise.resolve({})), [done]);
  useEffect(() => {
    if (!isListed) return;
    const row = list.current.querySelector(`[data-task="${sent.at(-1)}"]`);
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
  }, [sent, isListed]);
  useEffect(() => {
    if (sent.length === 1 && page?.tasks.some((task) => task.task_id === sent[0] && task.status === "succeeded")) location.hash = link({ task: sent[0] });
  }, [sent, page]);
  const erase = (task) => request(`/tasks/${task.task_id}`, { method: "DELETE" }).then(() => setFailed(null), setFailed).then(reload);
  return html`<main class="column tasks" data-scroll>
    <h1>Values out of documents</h1>
    <p>Choose documents and name the fields that you want. Each value comes back with the place where its document says it.</p>
    <${NewTask} server=${server} onCreated=${reload} onSent=${setSent} />
    ${(failed ?? error) && html`<${Message} error=${failed ?? error} />`}
    <h2>${page?.total ? `${plural(page.total, "task")}, newest first` : "No tasks yet"}</h2>
    <ul class="task-list" ref=${list}>${page?.tasks.map((task) => html`<li key=${task.task_id} data-task=${task.task_id} tabindex="-1"><${TaskRow} task=${task} count=${counts?.[task.task_id]} onErase=${() => erase(task)} /></li>`)}</ul>
  </main>`;
}

function TaskRow({ task, count, onErase }) {
  const isActive = task.status === "queued" || task.status === "running";
  const share = task.progress?.total ? task.progress.done / task.progress.total : undefined;
  const name = html`<b>${task.file_name}</b>`;
  return html`<div class="task">
    <div>${task.status === "succeeded" ? html`<a href=${link({ task: task.task_id })}>${name}</a>` : name}
      <span class="status">${task.status}</span>${count && html` <span class="quiet">${count[0]} of ${plural(count[1], "value")} found</span>`}
      <p class="quiet">${[ago(task.created_at), task.engine, NEXT[task.status]].filter(Boolean).join(" · ")}${isActive && task.progress?.message ? ` · ${task.progress.message}` : ""}</p>
      ${isActive && html`<progress max="1" value=${share} aria-label=${`Progress of ${task.file_name}`}></progress>`}
      ${task.error && html`<p class="message" role="alert">${task.error.message}</p>${task.error.details.length > 0 && html`<ul class="quiet">${task.error.details.map((one) => html`<li>${one}</li>`)}</ul>`}
        <p class="quiet">Correct the document or the schema and run it again.</p>`}
    </div>
    <div class="buttons"><${Links} id=${task.task_id} name=${task.file_name} />
      <${Confirmed} label=${isActive ? "Cancel" : "Delete"} name=${task.file_name} question=${isActive ? "Cancel and delete it" : "Delete it for good"} onYes=${onErase} /></div>
  </div>`;
}

const size = (bytes) => (bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** Where a task leads to beside its evidence. */
const Links = ({ id, name }) => html`<a class="button" aria-label=${`Run ${name} again`} href=${link({ tasks: "all", again: id })}>Run again</a>
  <a class="button" aria-label=${`Table of all like ${name}`} href=${link({ table: id })}>Table of all</a>`;

function NewTask({ server, onCreated, onSent }) {
  const [files, setFiles] = useState([]);
  const [schema, setSchema] = useState(() => sessionStorage.getItem(FIELDS) ?? EXAMPLES[0].text);
  useEffect(() => sessionStorage.setItem(FIELDS, schema), [schema]); // until the tab is closed: over a reload, too
  const [read, setRead] = useState(""); // the schema as JSON
  const [engine, setEngine] = useState("auto");
  const [cancel, setCancel] = useState(null);
  const input = useRef(null);
  const created = useRef([]);
  const [sent, sendAll] = useSending(async (file, onProgress) => {
    const form = new FormData();
    for (const [name, value] of [["schema", read], ["engine", engine]]) form.append(name, value);
    form.append("file", file, file.name);
    const sending = upload("/tasks", form, onProgress);
    setCancel(() => sending.cancel);
    const { task_id: id } = await sending.done;
    created.current.push(id);
    onCreated();
  });
  const { again, from, name } = parameters();
  const { value: before, error } = useLoaded(async (signal) => {
    if (!again) return name ? { file: await served(from, name, signal) } : null;
    const asked = await get("task", { task: again }, signal);
    return { ...asked, file: await fileAt(`/tasks/${again}/document`, asked.name, signal) };
  }, [again, from, name]);
  useEffect(() => {
    if (!before) return;
    setFiles([before.file]);
    if (before.schema) setSchema(written(JSON.parse(before.schema)));
    setEngine(server.engines.includes(before.engine) ? before.engine : "auto");
    input.current.closest("form").scrollIntoView();
  }, [before]);
  const isKnown = (file) => server.extensions.some((one) => file.name.toLowerCase().endsWith(one));
  const unknown = files.filter((file) => !isKnown(file)).map((file) => file.name);
  const send = async (event) => {
    event.preventDefault();
    created.current = [];
    await sendAll(files);
    if (before) history.replaceState(null, "", link({ tasks: "all" })); // on the way back the document is not chosen again
    onSent(created.current);
    setCancel(null);
    setFiles([]);
    input.current.value = "";
  };
  const drop = (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) setFiles([...event.dataTransfer.files]);
  };
  return html`<form class="new-task" onInput=${() => onSent([])} onSubmit=${send} onDrop=${drop} onDragOver=${(event) => event.preventDefault()}>
    <div class="drop"><${FileButton} label="Choose documents" multiple=${true} input=${input} accept=${server.extensions} onFiles=${setFiles} />
      <span class="quiet">${files.length > 3 ? plural(files.length, "document") : files.length ? files.map((file) => `${file.name}, ${size(file.size)}`).join(" · ") : "or drop them here."}</span>
      ${files.length > 0 && html`<button type="button" onClick=${() => setFiles([])}>Clear</button>`}
      ${server.collections.length > 0 && html`<${Served} server=${server} onFile=${(file) => setFiles((others) => [...others, file])} />`}</div>
    ${error && html`<${Message} error=${error} />`}
    ${unknown.length > 0 && html`<p class="message" role="alert">No reader knows this kind of file: ${unknown.join(", ")}. Known: ${server.extensions.join(" ")}</p>`}
    <${SchemaEditor} value=${schema} onChange=${setSchema} onRead=${setRead} />
    <div class="buttons"><label class="choice"><span>Engine</span><select value=${engine} onChange=${(event) => setEngine(event.target.value)}>${server.engines.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select></label>
      <button class="primary" disabled=${!files.length || unknown.length > 0 || !read || cancel}>Extract</button>
      ${cancel && html`<button type="button" onClick=${cancel}>Cancel the upload</button>`}</div>
    <${Sent} files=${sent} />
  </form>`;
}

const fileAt = async (path, name, signal) => new File([await (await request(path, { signal })).blob()], name.split("/").at(-1));
const served = (collection, name, signal) => fileAt(`api/file?${new URLSearchParams({ collection, name })}`, name, signal);

/** Adds documents that are served here, by name or, with Enter, by a part of it that one alone has. */
function Served({ server, onFile }) {
  const [typed, setTyped] = useState("");
  const [failed, setFailed] = useState(null);
  const look = async (text, signal) => {
    const key = (collection, name) => (server.collections.length > 1 ? `${collection}/${name}` : name);
    const lists = await Promise.all(server.collections.map(async (collection) => [collection, await get("documents", { collection, contains: text.replace(key(collection, ""), ""), count: LISTED }, signal)]));
    const named = new Map(lists.flatMap(([collection, { documents }]) => documents.map((one) => [key(collection, one.name), [collection, one]])));
    return { named, isPending: lists.some(([, list]) => list.freshness.pending) };
  };
  const { value: found } = useLoaded((signal) => look(typed, signal), [typed], (listing) => listing.isPending);
  const add = ([collection, { name }]) => {
    setTyped("");
    served(collection, name).then(onFile).then(() => setFailed(null), setFailed);
  };
  useEffect(() => {
    const chosen = found?.named.get(typed);
    if (chosen) add(chosen);
  }, [typed, found]);
  const entered = async (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // the form is not sent
    const text = typed.trim().toLowerCase();
    const { named } = await look(text);
    const fit = [...named.keys()];
    const exact = fit.filter((key) => key.toLowerCase().split("/").at(-1) === text);
    const [only, other] = exact.length ? exact : fit;
    if (text && only && !other) add(named.get(only));
    else if (text) setFailed(new Error(only ? `Which one? ${fit.slice(0, 5).join(", ")}${fit.length > 5 ? " …" : ""}` : `No document here has “${typed}” in its name.`));
  };
  return html`<label class="choice served"><span>or a document that is served here</span>
      <input type="search" list="served" placeholder="Name, or a part" value=${typed} onKeyDown=${entered}
        onInput=${(event) => (setTyped(event.target.value), setFailed(null))} /></label>
    <datalist id="served">${[...(found?.named ?? [])].map(([key, [, { label }]]) => html`<option key=${key} value=${key} label=${label} />`)}</datalist>
    ${failed && html`<${Message} error=${failed} />`}`;
}

export function TaskResult({ id }) {
  const { value: result, error: failed } = useLoaded((signal) => all(`/tasks/${encodeURIComponent(id)}/result`, signal), [id]);
  const { value: document, error: unread } = useLoaded((signal) => get("document", { task: id }, signal), [id]);
  const source = useMemo(() => httpSource({ task: id }), [id]);
  const { value: locators } = useLoaded((signal) => get("locators", { task: id }, signal), [id]);
  const { value: question } = useLoaded((signal) => get("task", { task: id }, signal), [id]);
  const exports = useMemo(() => FORMS.map(([name, says, form]) => [name, says, async () => download(form.startsWith(".") ? `${document.name}${form}` : `${form}.json`, await exported(id, form))]), [id, document]);
  const problem = failed ?? unread;
  if (problem || !result || !document) return html`<${Waiting} error=${problem}><a href="#tasks=all">All tasks</a><//>`;
  if (result.error) {
    return html`<main class="column"><h1>${document.name}</h1><p class="message" role="alert">${result.error.message}</p><p><a href="#tasks=all">All tasks</a> <${Links} id=${id} name=${document.name} /></p></main>`;
  }
  const review = async (row, verdict, value, span) => {
    const body = JSON.stringify({ task: id, path: row.steps, verdict, value, span });
    return (await request("api/review", { method: "POST", body })).json();
  };
  const valueAt = async ([start, end], share) => (await get("value", { task: id, start, end, share })).value;
  return html`<${Evidence} title=${document.name} result=${result} source=${source} sizes=${document.sizes} locators=${locators?.starts} onReview=${review} valueAt=${valueAt}
    tables=${question?.tables} links=${html`<${Links} id=${id} name=${document.name} />`} exports=${exports} initial=${parameters().value} />`;
}
