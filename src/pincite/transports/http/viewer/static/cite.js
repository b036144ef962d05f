// A passage as reports, papers and issues cite it; and the check of a quote.

import { html, useState } from "./vendor/preact-htm.js";
import { request } from "./api.js";
import { CopyButton, link, Message } from "./parts.js";

const VERDICTS = {
  exact: "✓ Exact: these words stand there, to the letter.",
  normalised: "✓ These words stand there; white space or typography differs.",
  moved: "↷ These words stand elsewhere in the document.",
  stitched: "≠ Put together from several places: quote them one by one.",
  absent: "✕ These words are not in the document.",
};

/** "Title, clause or section, p. 23", and where it was downloaded from. */
export function sentence({ place, clause }) {
  const { label, breadcrumb, pages, url } = place;
  const section = clause || breadcrumb.split(" > ").at(-1);
  return [label, section !== label && section, printed(pages), url].filter(Boolean).join(", ");
}

const printed = (pages) => pages.length > 1 ? `pp. ${pages[0]}–${pages.at(-1)}` : pages.length ? `p. ${pages[0]}` : "";

export const markdown = (cited, address) => `[${sentence(cited).replace(/[[\]\\]/g, "\\$&")}](${(cited.place.url || address).replace(/[()]/g, encodeURIComponent)})`;

const SPECIAL = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const tex = (text) => text.replace(/[\\~^]|[{}%&_#$]/g, (sign) => SPECIAL[sign] ?? `\\${sign}`);

export function bibtex(cited) {
  const { place, clause } = cited;
  const key = place.label.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "").slice(0, 30) || "document";
  const note = [clause || place.breadcrumb, printed(place.pages)].filter(Boolean).join(", ");
  return `@misc{${key},\n  title = {{${tex(place.label)}}},\n  note = {${tex(note)}},\n  ${place.url ? `url = {${tex(place.url)}}` : `howpublished = {${tex(place.document)}}`},\n}`;
}

/** The address of a passage on this page, without the search that led to it. */
export const addressOf = (ref) => new URL(link({ ref }), location.href).href;

export function CopyAs({ cited }) {
  const address = addressOf(cited.place.ref);
  return html`<p class="printed">${sentence(cited)}</p>
    <div class="buttons" role="group" aria-label="Copy"><${CopyButton} text=${sentence(cited)} label="Copy the citation" />
      <${CopyButton} text=${() => markdown(cited, address)} label="Markdown" /><${CopyButton} text=${() => bibtex(cited)} label="BibTeX" />
      <${CopyButton} text=${cited.text} label="Copy the text" /><${CopyButton} text=${cited.place.ref} label="Copy the reference" />
      <${CopyButton} text=${address} label="Copy the link" /></div>`;
}

export function QuoteCheck({ reference }) {
  const [quote, setQuote] = useState("");
  const [state, setState] = useState({});
  const check = async (event) => {
    event.preventDefault();
    setState({ busy: true });
    const body = JSON.stringify({ ref: reference, quote });
    try {
      const answer = await request("/api/tools/verify_quote", { method: "POST", body, headers: { "content-type": "application/json" } });
      setState({ found: await answer.json() });
    } catch (error) {
      setState({ error });
    }
  };
  const { found } = state;
  return html`<form class="quote" onSubmit=${check}>
    <label for="quote">Check a quote against this document</label>
    <textarea id="quote" rows="3" required value=${quote} onInput=${(event) => setQuote(event.target.value)}></textarea>
    <button disabled=${state.busy}>Check</button>
    <div role="status">${state.error && html`<${Message} error=${state.error} />`}
      ${found && html`<p class=${`verdict ${found.verdict}`}>${VERDICTS[found.verdict] ?? found.verdict}
        ${found.at && html` <a href=${link({ ref: found.at })}>Show the place</a>`}</p>`}</div>
  </form>`;
}
