// What a view says while there is nothing to show: why, and what to do next.

import { html } from "./vendor/preact-htm.js";
import { CopyButton, plural } from "./parts.js";

function Command({ says, text }) {
  return html`<li><span>${says}</span> <code class="command">${text.split(" ").map((word) => html`<span>${word}</span> `)}</code> <${CopyButton} text=${text} /></li>`;
}

export function NothingServed() {
  return html`<main class="column first"><h1>No documents are served here</h1>
    <p>This server answers programs alone: <a href="/docs">try its API</a>. To search and read documents on this page, start it with one of these:</p>
    <ul class="commands">
      <${Command} says="A folder of documents" text="pincite serve ./docs --transport http" />
      <${Command} says="A library that you fill" text="pincite serve" />
      <${Command} says="Values out of documents" text="pincite serve --toolsets extraction" />
    </ul></main>`;
}

/** An empty library or folder; `pending` files wait to be read. */
export function NothingRead({ isLibrary, uploads, pending }) {
  if (pending) {
    return html`<section class="first"><h2>The documents are being read</h2>
      <p>${plural(pending, "file")} to go. What is read appears here, and can be searched at once.</p><progress aria-label="Reading the documents"></progress></section>`;
  }
  if (!isLibrary) {
    return html`<section class="first"><h2>This folder has no documents yet</h2>
      <p>Put files into the folder that is served: PDF, Word, PowerPoint, Excel, HTML, Markdown, text or pictures. They appear here by themselves.</p></section>`;
  }
  return html`<section class="first"><h2>The library is empty</h2>
    <p>${uploads ? "Drop files on this page, or add a folder from the shell:" : "Add files or a whole folder from the shell:"}</p>
    <ul class="commands"><${Command} says="A folder, or a file" text="pincite ingest ./docs" /></ul>
    ${!uploads && html`<p class="quiet">To add files from this page, start the server with PINCITE_UPLOADS=true.</p>`}</section>`;
}
