// The result of an extraction as rows: one for each value, with its evidence; objects and lists are headings.

export const STATUS = {
  verified: { sign: "✓", word: "verified", says: "The document says this, word for word." },
  derived: { sign: "ƒ", word: "derived", says: "Follows from the document's words by a rule." },
  ungrounded: { sign: "✕", word: "ungrounded", says: "The document does not have it." },
  conflict: { sign: "≠", word: "conflict", says: "The document says something else there." },
  absent: { sign: "–", word: "absent", says: "Not found in the document." },
};

const isRecord = (node) => node && typeof node === "object" && !Array.isArray(node) && "locator" in node && "snippet" in node && typeof node.status === "string";

export const SAID = { accepted: "☑ accepted", rejected: "⊘ rejected", corrected: "✎ corrected" };

/**
 * `{id, depth, name, path, steps, value, evidence, said}` in order; rows without evidence are headings. A corrected value
 * stands in place of the extracted one, which is `was`, with the evidence that the server found for it.
 */
export function rows(data, evidence, corrections = {}) {
  const found = [];
  walk(data, evidence, "", [], 0, found);
  return found.map((row) => {
    const said = row.evidence && corrections[row.path];
    if (!said) return row;
    if (said.verdict === "corrected") return { ...row, said, value: said.value, was: row.value, evidence: said.evidence };
    return said.verdict === "rejected" ? { ...row, said, value: null, was: row.value } : { ...row, said };
  });
}

/** Rows as they are shown: those of a list of objects are one `record` for each object, below their `columns`. */
export function layout(list) {
  const found = [];
  let table = null;
  for (const row of list) {
    if (!table || !row.path.startsWith(`${table.path}[`)) {
      found.push(row);
      table = row.isTable ? { path: row.path, columns: new Set(), records: new Map() } : null;
      if (table) found.push({ id: `${row.path} columns`, columns: table.columns });
    } else if (row.evidence) {
      const [, index, column] = /^\[(\d+)\]\.?(.*)$/s.exec(row.path.slice(table.path.length));
      table.columns.add(column);
      if (!table.records.has(index)) {
        table.records.set(index, { id: `${table.path}[${index}]`, number: Number(index) + 1, columns: table.columns, cells: new Map() });
        found.push(table.records.get(index));
      }
      table.records.get(index).cells.set(column, row);
    }
  }
  return found;
}

const isKnown = (row) => row.evidence && (row.said || row.evidence.status !== "absent");

/** The right values as `pincite eval` takes them: without those that nobody found and nobody looked at. */
export function expected(list) {
  const found = {};
  for (const { steps, value } of list.filter(isKnown)) {
    let node = found;
    steps.slice(0, -1).forEach((step, index) => {
      node[step] ??= typeof steps[index + 1] === "number" ? [] : {};
      node = node[step];
    });
    node[steps.at(-1)] = value;
  }
  return found;
}

/** A table for spreadsheets: one row for each object of the first list of objects, beside the single values. */
export function csv(list) {
  const shownRows = layout(list);
  const single = shownRows.filter((row) => row.evidence);
  const [first] = shownRows.filter((row) => row.cells);
  const table = first ? shownRows.filter((row) => row.cells && row.columns === first.columns) : [];
  const path = first?.id.replace(/\[\d+\]$/, "");
  const columns = [...(first?.columns ?? [])];
  const head = [...single.map((row) => row.path), ...columns.map((column) => (column ? `${path}.${column}` : path))];
  const body = (table.length ? table : [null]).map((record) => [...single.map((row) => row.value), ...columns.map((column) => record.cells.get(column)?.value)]);
  return `${[head, ...body].map((cells) => cells.map(quoted).join(",")).join("\r\n")}\r\n`;
}

function quoted(value) {
  if (value === null || value === undefined) return "";
  // A text that begins like a formula would be one in a spreadsheet.
  const text = typeof value === "string" && /^[=+@\t\r-]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : typeof value === "object" ? shown(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function walk(data, evidence, name, steps, depth, found) {
  const path = steps.reduce((text, step) => (typeof step === "number" ? `${text}[${step}]` : text ? `${text}.${step}` : step), "");
  if (isRecord(evidence)) {
    found.push({ id: path || "value", depth, name, path, steps, value: data, evidence });
    return;
  }
  if (evidence === null || typeof evidence !== "object") return;
  const isTable = Array.isArray(evidence) && evidence.length > 0 && evidence.every((one) => one && typeof one === "object" && !isRecord(one));
  if (path) found.push({ id: path, depth, name, path, steps, isTable });
  const inner = path ? depth + 1 : depth;
  if (Array.isArray(evidence)) {
    evidence.forEach((one, index) => walk(data?.[index], one, `${index + 1}.`, [...steps, index], inner, found));
  } else {
    for (const [key, one] of Object.entries(evidence)) walk(data?.[key], one, key, [...steps, key], inner, found);
  }
}

export function shown(value) {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.map(shown).join(", ") || "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Marks of the values that have a place on a page; with `items` each item of a list has its own boxes. */
export function marks(list) {
  return list
    .filter((row) => row.evidence && boxes(row.evidence).length)
    .map((row) => ({ id: row.id, kind: row.evidence.status, label: `${row.path}: ${shown(row.value)}, ${row.evidence.status}`, boxes: boxes(row.evidence) }));
}

/** Spans of the text of a document without pages; `locators` has where the text of each locator begins. */
export function spans(list, locators) {
  return list
    .filter((row) => row.evidence && row.evidence.char_start !== undefined && row.evidence.char_start !== null && row.evidence.locator in locators)
    .map((row) => {
      const { locator, status, char_start: start, char_end: end } = row.evidence;
      return { id: row.id, kind: status, label: `${row.path}: ${shown(row.value)}, ${status}`, start: locators[locator] + start, end: locators[locator] + end };
    });
}

function boxes(evidence) {
  const own = (evidence.items ?? [evidence]).flatMap((one) => one.boxes ?? []);
  return own.filter((box, index) => own.findIndex((other) => JSON.stringify(other) === JSON.stringify(box)) === index);
}

export function count(list) {
  const counts = Object.fromEntries(Object.keys(STATUS).map((status) => [status, 0]));
  for (const row of list) if (row.evidence) counts[row.evidence.status] = (counts[row.evidence.status] ?? 0) + 1;
  return counts;
}
