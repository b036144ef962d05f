// The page of the API: every endpoint that /openapi.json describes, to be tried.

import { html, render, useState } from "./vendor/preact-htm.js";
import { connection, headers, request } from "./api.js";
import { grouped, KeyForm, Message, useConnection, useLoaded } from "./parts.js";

const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data";
const MAX_SHOWN = 200_000; // characters of an answer: a browser slows down with more

function Docs() {
  useConnection();
  const { value: api, error } = useLoaded((signal) => request("/openapi.json", { signal }).then((answer) => answer.json()), []);
  return html`<header class="bar">
      <a class="brand" href="./"><img src="icon.svg" alt="" width="20" height="20" />pincite</a>
      <nav aria-label="Views"><a href="./">Documents</a><a href="/openapi.json">openapi.json</a></nav>
    </header>
    <div id="content" data-scroll>
      ${connection.locked ? html`<${KeyForm} />` : api ? html`<${Api} api=${api} />` : error && html`<main class="column"><${Message} error=${error} /></main>`}
    </div>`;
}

function Api({ api }) {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
  const groups = grouped(operations, (operation) => operation.tags[0] ?? "server");
  return html`<main class="column api"><h1>API of pincite ${api.info.version}</h1>
    ${[...groups].map(([name, members]) => html`<section key=${name}><h2>${name}</h2>
      ${members.map((operation) => html`<${Operation} key=${operation.operationId} operation=${operation} api=${api} />`)}</section>`)}</main>`;
}

function Operation({ operation, api }) {
  const [answer, setAnswer] = useState(null);
  const body = operation.requestBody?.content ?? {};
  const send = async (event) => {
    event.preventDefault();
    setAnswer({ status: "…", text: "" });
    try {
      setAnswer(await sent(operation, new FormData(event.target)));
    } catch (error) {
      setAnswer({ status: "No answer", text: error.message });
    }
  };
  return html`<details><summary><code>${operation.method} ${operation.path}</code> ${operation.summary !== operation.operationId && operation.summary}</summary>
    <p>${operation.description}</p>
    <form onSubmit=${send}>
      ${(operation.parameters ?? []).map((parameter) => html`<label key=${parameter.name}>${parameter.name} <input type="search" name=${parameter.name} required=${parameter.required} placeholder=${parameter.description ?? ""} /></label>`)}
      ${body[JSON_TYPE] && html`<label>Arguments, as JSON <textarea name="body" rows="6" spellcheck=${false} defaultValue=${JSON.stringify(sample(body[JSON_TYPE].schema, api), null, 2)} /></label>
        <${Fields} schema=${body[JSON_TYPE].schema} />`}
      ${body[FORM_TYPE] && Object.entries(body[FORM_TYPE].schema.properties).map(([name, field]) => html`<label key=${name}>${name} ${field.format === "binary" ? html`<input type="file" name=${name} />` : html`<textarea name=${name} rows="3" placeholder=${field.description} />`}</label>`)}
      <button class="primary">Send</button>
    </form>
    ${answer && html`<div role="status"><p><strong>${answer.status}</strong></p><pre class="answer" tabindex="0">${answer.text}</pre></div>`}
    <p class="quiet">May answer: ${Object.entries(operation.responses).map(([status, { description }]) => html`<span key=${status}><code>${status}</code> ${description}. </span>`)}</p></details>`;
}

function Fields({ schema }) {
  const fields = Object.entries(schema.properties ?? {});
  return html`<ul class="quiet">${fields.map(([name, field]) => html`<li key=${name}><code>${name}</code>${schema.required?.includes(name) ? " (required)" : ""}: ${field.description ?? field.type ?? ""}</li>`)}</ul>`;
}

async function sent(operation, form) {
  const values = Object.fromEntries([...form].filter(([, value]) => value !== ""));
  const path = operation.path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(values[name]));
  const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === "query" && parameter.name in values);
  const query = new URLSearchParams(queries.map(({ name }) => [name, values[name]])).toString();
  const content = operation.requestBody?.content ?? {};
  const options = { method: operation.method, headers: headers() };
  if (content[JSON_TYPE]) {
    options.body = values.body ?? "{}";
    options.headers["content-type"] = JSON_TYPE;
  } else if (content[FORM_TYPE]) {
    options.body = form;
  }
  const answer = await fetch(query ? `${path}?${query}` : path, options);
  const text = await answer.text();
  return { status: `${answer.status} ${answer.statusText}`, text: shown(text).slice(0, MAX_SHOWN) };
}

function shown(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The required arguments of a schema, empty. */
function sample(schema, api) {
  if (schema.$ref) return sample(schema.$ref.slice(2).split("/").reduce((node, step) => node[step], api), api);
  if ("default" in schema) return schema.default;
  if (schema.type === "object") return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(schema.properties[name], api)]));
  return { array: [], integer: schema.minimum ?? 0, number: 0, boolean: false }[schema.type] ?? schema.enum?.[0] ?? "";
}

render(html`<${Docs} />`, document.getElementById("app"));
