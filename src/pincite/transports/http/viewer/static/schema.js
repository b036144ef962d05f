// The schema: written as JSON, checked as one types, with the fields that it asks for.

import { html, useEffect, useMemo, useState } from "./vendor/preact-htm.js";

import { request } from "./api.js";
import { plural } from "./parts.js";

const TYPING_MS = 200;
const SHOWN = 12; // fields in words below the editor

export const written = (value) => JSON.stringify(value, null, 2);

export const EXAMPLES = [
  {
    name: "Invoice",
    text: written({
      invoice_number: "string",
      invoice_date: "date",
      seller: { name: "string", vat_id: "string: VAT identification number" },
      currency: "string",
      total: "number: grand total with tax",
      lines: [{ description: "string", quantity: "number", amount: "number" }],
    }),
  },
  { name: "Datasheet", text: written({ product_name: "string", supply_voltage: "quantity with unit", operating_temperature: "range with unit", weight: "quantity with unit" }) },
  {
    name: "JSON Schema",
    text: written({
      type: "object",
      properties: { title: { type: "string" }, date: { type: "string", format: "date" }, pages: { type: "integer" } },
      required: ["title"],
    }),
  },
];

const isJson = (text) => /^\s*[[{]/.test(text);

/** What is wrong with a schema that is JSON, in words and with its line; of names of fields the server says it. */
export function problem(text) {
  if (!isJson(text)) return text.trim() ? "" : "Name at least one field.";
  let read;
  try {
    read = JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(error.message);
    const line = at && text.slice(0, Number(at[1])).split("\n").length;
    return `This is not JSON yet${line ? `: look at line ${line}` : ""}. Names with commas between them will do, too: invoice number, total: number.`;
  }
  if (read === null || typeof read !== "object" || Array.isArray(read)) return "Write an object: { \"field\": \"string\" }.";
  return Object.keys(read).length ? "" : "Name at least one field.";
}

/** @param onRead called with the schema as JSON text, empty while there is none */
export function SchemaEditor({ value, onChange, onRead }) {
  const wrong = useMemo(() => problem(value), [value]);
  const check = useCheck(value, wrong);
  const says = wrong || check?.problem;
  const read = says ? "" : isJson(value) ? value : check?.of === value ? check.schema : "";
  useEffect(() => onRead(read), [read]);
  return html`<div class="schema">
    <div class="schema-head"><label for="schema">Fields</label>
      <label class="choice"><span>Example</span><select value="" onChange=${(event) => event.target.value && onChange(EXAMPLES[event.target.value].text)}>
        <option value="">Choose one</option>
        ${EXAMPLES.map((example, index) => html`<option key=${example.name} value=${index}>${example.name}</option>`)}</select></label></div>
    <textarea id="schema" rows="12" placeholder="invoice number, seller, total: number" spellcheck=${false} value=${value} aria-describedby="schema-says" aria-invalid=${Boolean(says)} onInput=${(event) => onChange(event.target.value)}></textarea>
    <div id="schema-says" role="status">${says ? html`<p class="message">${says}</p>` : check && html`<${Understood} check=${check} />`}</div>
  </div>`;
}

function Understood({ check }) {
  const more = check.count - SHOWN;
  return html`${check.warnings.map((one) => html`<p class="notice" key=${one}>${one}</p>`)}
    <p class="quiet">${plural(check.count, "field")}: ${check.fields.slice(0, SHOWN).map((field, index) => html`${index > 0 && ", "}<span class="field">${field.path}</span> (${field.type})`)}${more > 0 && ` and ${more} more`}</p>`;
}

/** How the server understands a schema that is JSON; the last answer until there is a new one. */
function useCheck(text, wrong) {
  const [check, setCheck] = useState(null);
  useEffect(() => {
    if (wrong) return undefined;
    const control = new AbortController();
    const timer = setTimeout(
      () =>
        request("api/schema", { method: "POST", body: text, signal: control.signal })
          .then((answer) => answer.json())
          .then((answer) => setCheck({ ...answer, of: text }))
          // Without an answer the schema may be sent: the server checks it then.
          .catch((error) => error.name !== "AbortError" && setCheck(error.status === 422 || error.status === 400 ? { problem: error.message } : null)),
      TYPING_MS,
    );
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text, wrong]);
  return check;
}
