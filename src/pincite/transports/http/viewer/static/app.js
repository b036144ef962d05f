// The page: what the address names, the state of the connection, the key.

import { html, render, useEffect, useState } from "./vendor/preact-htm.js";
import { connection, get } from "./api.js";
import { Citation, DocumentView } from "./document.js";
import { Documents } from "./documents.js";
import { Table } from "./table.js";
import { TaskResult, Tasks } from "./tasks.js";
import { KeyForm, KeyHelp, Message, parameters, useConnection, useLoaded } from "./parts.js";

function App() {
  const [address, setAddress] = useState(location.hash);
  const [moves, setMoves] = useState(0);
  useConnection();
  useEffect(() => {
    const moved = () => {
      setAddress(location.hash);
      setMoves((count) => count + 1);
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const { value: server, error } = useLoaded((signal) => get("server", {}, signal), []);
  return html`<a class="skip" href="#content" onClick=${skip}>Skip to the content</a>
    <header class="bar">
      <a class="brand" href="#"><img src="icon.svg" alt="" width="20" height="20" />pincite</a>
      <nav aria-label="Views">
        ${server && hasDocuments(server) && html`<a href="#" aria-current=${isTasks(address) ? undefined : "page"}>Documents</a>`}
        ${server?.tasks && html`<a href="#tasks=all" aria-current=${isTasks(address) || !hasDocuments(server) ? "page" : undefined}>Tasks</a>`}
      </nav>
      <${KeyHelp} />
    </header>
    ${connection.away && html`<p class="away" role="alert">The server does not answer. What is shown stays; the page goes on as soon as the server is back.</p>`}
    <div id="content" tabindex="-1">
      ${connection.locked ? html`<${KeyForm} />` : server ? html`<${View} server=${server} address=${address} moves=${moves} />` : error && html`<main class="column"><${Message} error=${error} /></main>`}
    </div>`;
}

/** An extraction server has none: its page begins with the tasks. */
const hasDocuments = (server) => server.collections.length > 0 || !server.tasks;

const isTasks = (address) => /^#(tasks?|table)=/.test(address);

function skip(event) {
  event.preventDefault();
  document.getElementById("content").focus();
}

function View({ server, address, moves }) {
  const given = parameters();
  useEffect(() => {
    document.title = given.document ? `${given.document} – pincite` : given.ref ? `${given.ref} – pincite` : "pincite";
  }, [address]);
  if (given.ref) return html`<${Citation} reference=${given.ref} server=${server} />`;
  if (given.document) return html`<${DocumentView} key=${given.document} collection=${given.collection || server.collections[0]} name=${given.document} server=${server} />`;
  if (given.task) return html`<${TaskResult} key=${given.task} id=${given.task} />`;
  if (given.table) return html`<${Table} key=${given.table} id=${given.table} />`;
  if (server.tasks && (given.tasks || !hasDocuments(server))) return html`<${Tasks} server=${server} />`;
  // Anew for each address that is gone to: what is typed there changes the address without going to it.
  return html`<${Documents} key=${moves} server=${server} />`;
}

render(html`<${App} />`, document.getElementById("app"));
