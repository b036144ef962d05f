// Tasks: a document and a schema in, values with evidence out; what runs is followed, what fails says why.

import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { follow, get, request, upload } from "./api.js";
import { httpSource } from "./document.js";
import { Evidence } from "./evidence.js";
import { SchemaEditor, EXAMPLES } from "./schema.js";
import { ago, FileButton, link, Message, useEpoch, useLoaded } from "./parts.js";

const FOLLOWED = 3; // streams: a browser opens six connections to a server
const LIST_MS = 3000;
const NEXT = {
  queued: "Waits for its turn.",
  running: "",
  succeeded: "",
  failed: "",
  cancelled: "Was cancelled.",
};

const all = async (path, signal) => (await request(path, { signal })).json();

export function Tasks({ server }) {
  const [tasks, setTasks] = useState(null);
  const [total, setTotal] = useState(0);
  const [error, setError] = useState(null);
  const epoch = useEpoch();
  const reload = async (signal) => {
    try {
      const page = await all("/tasks?limit=50", signal);
      setTasks(page.tasks);
      setTotal(page.total);
      setError(null);
    } catch (caught) {
      if (caught.name !== "AbortError") setError(caught);
    }
  };
  useEffect(() => {
    const control = new AbortController();
    reload(control.signal);
    const timer = setInterval(() => reload(control.signal), LIST_MS);
    return () => {
      control.abort();
      clearInterval(timer);
    };
  }, [epoch]);
  const active = (tasks ?? []).filter((task) => task.status === "running" || task.status === "queued").slice(-FOLLOWED).map((task) => task.task_id);
  useEffect(() => {
    const control = new AbortController();
    const update = (event, state) =>
      event === "status" && setTasks((before) => before?.map((task) => (task.task_id === state.task_id ? { ...task, ...state } : task)));
    for (const id of active) follow(`/tasks/${id}/events`, update, control.signal).catch(() => {});
    return () => control.abort();
  }, [active.join(), epoch]);
  const erase = async (task) => {
    await request(`/tasks/${task.task_id}`, { method: "DELETE" }).catch(setError);
    reload();
  };
  return html`<main class="column tasks" data-scroll>
    <h1>Values out of a document</h1>
    <p>Choose a document and name the fields that you want. Each value comes back with the place where the document says it.</p>
    <${NewTask} server=${server} onCreated=${() => reload()} />
    ${error && html`<${Message} error=${error} />`}
    <h2>${tasks?.length ? `${total.toLocaleString("en")} ${total === 1 ? "task" : "tasks"}, newest first` : "No tasks yet"}</h2>
    <ul class="task-list">${(tasks ?? []).map((task) => html`<li key=${task.task_id}><${TaskRow} task=${task} onErase=${() => erase(task)} /></li>`)}</ul>
  </main>`;
}

function TaskRow({ task, onErase }) {
  const [asked, setAsked] = useState(false);
  const isActive = task.status === "queued" || task.status === "running";
  const share = task.progress?.total ? task.progress.done / task.progress.total : undefined;
  const name = html`<b>${task.file_name}</b>`;
  return html`<div class="task">
    <div>${task.status === "succeeded" ? html`<a href=${link({ task: task.task_id })}>${name}</a>` : name}
      <span class="status">${task.status}</span>
      <p class="quiet">${[ago(task.created_at), task.engine, NEXT[task.status]].filter(Boolean).join(" · ")}${isActive && task.progress?.message ? ` · ${task.progress.message}` : ""}</p>
      ${isActive && html`<progress max="1" value=${share} aria-label=${`Progress of ${task.file_name}`}></progress>`}
      ${task.error && html`<p class="message" role="alert">${task.error.message}</p>${task.error.details.length > 0 && html`<ul class="quiet">${task.error.details.map((one) => html`<li>${one}</li>`)}</ul>`}
        <p class="quiet">Correct the document or the schema and send it again.</p>`}
    </div>
    <div class="buttons">${asked
      ? html`<button type="button" onClick=${onErase}>${isActive ? "Cancel and delete it" : "Delete it for good"}</button><button type="button" onClick=${() => setAsked(false)}>Keep it</button>`
      : html`<button type="button" aria-label=${`${isActive ? "Cancel" : "Delete"} ${task.file_name}`} onClick=${() => setAsked(true)}>${isActive ? "Cancel" : "Delete"}</button>`}</div>
  </div>`;
}

const size = (bytes) => (bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

function NewTask({ server, onCreated }) {
  const [file, setFile] = useState(null);
  const [schema, setSchema] = useState(EXAMPLES[0].text);
  const [isValid, setValid] = useState(true);
  const [engine, setEngine] = useState("auto");
  const [sending, setSending] = useState(null);
  const [error, setError] = useState(null);
  const input = useRef(null);
  const wrong = file && !server.extensions.some((one) => file.name.toLowerCase().endsWith(one)) && `No reader knows this kind of file. Known: ${server.extensions.join(" ")}`;
  const send = async (event) => {
    event.preventDefault();
    const form = new FormData();
    form.append("schema", schema);
    form.append("engine", engine);
    form.append("file", file, file.name);
    setError(null);
    const sent = upload("/tasks", form, (share) => setSending((before) => before && { ...before, share }));
    setSending({ share: 0, cancel: sent.cancel });
    try {
      await sent.done;
      setFile(null);
      input.current.value = "";
      onCreated();
    } catch (caught) {
      setError(caught);
    }
    setSending(null);
  };
  const drop = (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) setFile(event.dataTransfer.files[0]);
  };
  return html`<form class="new-task" onSubmit=${send} onDrop=${drop} onDragOver=${(event) => event.preventDefault()}>
    <div class="drop"><${FileButton} label="Choose the document" input=${input} accept=${server.extensions} onFiles=${(chosen) => setFile(chosen[0] ?? null)} />
      <span class="quiet">${file ? `${file.name}, ${size(file.size)}` : "or drop it here."}</span></div>
    ${wrong && html`<p class="message" role="alert">${wrong}</p>`}
    <${SchemaEditor} value=${schema} onChange=${setSchema} onValid=${setValid} />
    <div class="buttons"><label class="choice"><span>Engine</span><select value=${engine} onChange=${(event) => setEngine(event.target.value)}>${server.engines.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select></label>
      <button class="primary" disabled=${!file || wrong || !isValid || sending}>Extract</button>
      ${sending && html`<progress max="1" value=${sending.share} aria-label="Upload"></progress><button type="button" onClick=${sending.cancel}>Cancel the upload</button>`}</div>
    ${error && html`<${Message} error=${error} />`}
  </form>`;
}

export function TaskResult({ id }) {
  const { value: task, error } = useLoaded((signal) => all(`/tasks/${encodeURIComponent(id)}`, signal), [id]);
  const { value: result, error: failed } = useLoaded((signal) => all(`/tasks/${encodeURIComponent(id)}/result`, signal), [id]);
  const { value: document, error: unread } = useLoaded((signal) => get("document", { task: id }, signal), [id]);
  const source = useMemo(() => httpSource({ task: id }), [id]);
  const { value: locators } = useLoaded((signal) => get("locators", { task: id }, signal), [id]);
  const problem = error ?? failed ?? unread;
  if (problem) return html`<main class="column"><${Message} error=${problem} /><p><a href="#tasks=all">All tasks</a></p></main>`;
  if (!task || !result || !document) return html`<main class="column"><${Message}>Opening…<//></main>`;
  if (result.error) {
    return html`<main class="column"><h1>${document.name}</h1><p class="message" role="alert">${result.error.message}</p><p><a href="#tasks=all">All tasks</a></p></main>`;
  }
  const review = async (row, verdict, value, span) => {
    const body = JSON.stringify({ task: id, path: row.steps, verdict, value, span });
    return (await request("api/review", { method: "POST", body })).json();
  };
  return html`<${Evidence} title=${document.name} result=${result} source=${source} sizes=${document.sizes} locators=${locators?.starts} onReview=${review} />`;
}
