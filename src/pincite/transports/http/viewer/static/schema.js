// The schema: written as JSON, checked as one types, with the fields that it asks for.

import { html, useEffect, useMemo } from "./vendor/preact-htm.js";

const written = (value) => JSON.stringify(value, null, 2);

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

/** What is wrong with a schema, in words and with its line; empty if it can be sent. */
export function problem(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(error.message);
    const line = at && text.slice(0, Number(at[1])).split("\n").length;
    return `This is not JSON yet${line ? `, line ${line}` : ""}: ${error.message}`;
  }
  if (read === null || typeof read !== "object" || Array.isArray(read)) return "Write an object: { \"field\": \"string\" }.";
  return Object.keys(read).length ? "" : "Name at least one field.";
}

/** The fields of a skeleton or of the properties of a JSON Schema, as paths. */
export function fields(schema, path = "") {
  if (Array.isArray(schema)) return fields(schema[0] ?? "", `${path}[]`);
  if (schema === null || typeof schema !== "object") return [path];
  const properties = schema.properties && typeof schema.properties === "object" ? schema.properties : schema.items ? null : schema.type && path ? undefined : schema;
  if (properties === null) return fields(schema.items, `${path}[]`);
  if (properties === undefined) return [path];
  return Object.entries(properties)
    .filter(([key]) => !key.startsWith("$"))
    .flatMap(([key, child]) => fields(child, path ? `${path}.${key}` : key));
}

export function SchemaEditor({ value, onChange, onValid }) {
  const wrong = useMemo(() => problem(value), [value]);
  useEffect(() => onValid(!wrong), [wrong]);
  const found = useMemo(() => (wrong ? [] : fields(JSON.parse(value)).slice(0, 200)), [value, wrong]);
  return html`<div class="schema">
    <div class="schema-head"><label for="schema">Fields</label>
      <label class="choice"><span>Example</span><select onChange=${(event) => event.target.value && onChange(EXAMPLES[event.target.value].text)}>
        ${EXAMPLES.map((example, index) => html`<option key=${example.name} value=${index}>${example.name}</option>`)}</select></label></div>
    <textarea id="schema" rows="12" spellcheck="false" value=${value} aria-describedby="schema-says" aria-invalid=${Boolean(wrong)} onInput=${(event) => onChange(event.target.value)}></textarea>
    <p id="schema-says" class=${wrong ? "message" : "quiet"} role="status">${wrong || `${found.length} ${found.length === 1 ? "field" : "fields"}: ${found.slice(0, 12).join(", ")}${found.length > 12 ? " …" : ""}`}</p>
  </div>`;
}
