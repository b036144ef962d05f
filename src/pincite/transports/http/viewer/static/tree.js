// The result of an extraction as rows: one for each value, with its evidence; objects and lists are headings.

export const STATUS = {
  verified: { sign: "✓", word: "verified", says: "The document says this, word for word." },
  derived: { sign: "ƒ", word: "derived", says: "Follows from the document's words by a rule." },
  corrected: { sign: "✎", word: "corrected", says: "A person put this in. The text of the document does not have it." },
  ungrounded: { sign: "✕", word: "ungrounded", says: "The document does not have it." },
  conflict: { sign: "≠", word: "conflict", says: "The document says something else there." },
  absent: { sign: "–", word: "absent", says: "Not found in the document." },
  none: { sign: "☑", word: "none, accepted", says: "A person agrees that the document has none." },
  rejected: { sign: "⊘", word: "rejected", says: "A person rejected what was found here." },
};

export const statusOf = (name) => STATUS[name] ?? STATUS.absent;

const isRecord = (node) => node && typeof node === "object" && !Array.isArray(node) && "locator" in node && "snippet" in node && typeof node.status === "string";

/** What a person said of a row, in short; not where its status says it. */
export const saidOf = (row) => row.said && row.status !== "none" && SAID[row.said.verdict];

export const SAID = { accepted: "☑ accepted", rejected: "⊘ rejected", corrected: "✎ corrected", added: "+ added", removed: "− removed" };

/**
 * `{id, depth, name, path, steps, value, evidence, status, said, isRemoved}` in order; rows without evidence are headings,
 * among them the items of a list of objects. A corrected value is in place of the extracted one, which is `was`, with the
 * evidence that the server found for it; its `status` is `corrected` unless that proves it.
 */
export function rows(data, evidence, corrections = {}) {
  const found = [];
  walk(...withAdded(data, evidence, corrections), "", [], 0, found);
  let removed = "";
  return found.map((row) => {
    const said = corrections[row.path];
    if (said?.verdict === "removed") removed = row.path;
    const isRemoved = Boolean(removed) && (row.path === removed || row.path.startsWith(`${removed}.`));
    const judged = { ...row, isRemoved, said, status: row.evidence?.status };
    if (said?.verdict === "corrected") {
      const { value, evidence } = said;
      return { ...judged, value, was: row.value, evidence, status: /^(verified|derived)$/.test(evidence.status) ? evidence.status : "corrected" };
    }
    if (said?.verdict === "accepted" && shown(row.value) === "–") return { ...judged, status: "none" };
    return said?.verdict === "rejected" ? { ...judged, value: null, was: row.value, status: "rejected" } : judged;
  });
}

function withAdded(data, evidence, corrections) {
  const added = Object.values(corrections).filter((one) => one.verdict === "added");
  if (!added.length) return [data, evidence];
  const trees = structuredClone([data, evidence]);
  for (const one of added) [one.value, one.evidence].forEach((value, index) => put(trees[index], one.path, value));
  return trees;
}

/** The values as JSON, as people have them: corrected, and without what they rejected or removed. */
export function corrected({ data, evidence }, corrections) {
  const [values] = structuredClone(withAdded(data, evidence, corrections));
  for (const row of rows(data, evidence, corrections)) {
    const isGone = row.said?.verdict === "removed";
    if (isGone || (row.said && row.evidence)) put(values, row.steps, isGone ? undefined : row.value);
  }
  // Of a list there stays what is not removed; an added item that was taken back is a hole.
  return JSON.stringify(values, (_, value) => (Array.isArray(value) ? value.filter((item) => item !== undefined) : value), 2);
}

function put(tree, steps, value) {
  let node = tree;
  steps.slice(0, -1).forEach((step, index) => {
    if (typeof steps[index + 1] === "number" && !Array.isArray(node[step])) node[step] = [];
    node = node[step];
  });
  node[steps.at(-1)] = value;
}

/**
 * Rows as they are shown: those of a list of objects are one `record` for each object, below their `columns`, and above
 * what `adds` another; `tables` are the lists that are empty, too.
 */
export function layout(list, tables) {
  const found = [];
  let table = null;
  const close = () => {
    if (table && tables) found.push({ id: `${table.path} add`, adds: [...table.steps, table.next], path: table.path });
    table = null;
  };
  for (const row of list) {
    if (!table || !row.path.startsWith(`${table.path}[`)) {
      close();
      found.push(row);
      if (row.isTable || tables?.includes(row.path)) table = { path: row.path, steps: row.steps, next: 0, columns: new Map(), records: new Map() };
      if (row.isTable) found.push({ id: `${row.path} columns`, columns: table.columns });
    } else {
      const [, index, column] = /^\[(\d+)\]\.?(.*)$/s.exec(row.path.slice(table.path.length));
      table.next = Number(index) + 1;
      if (!table.records.has(index)) {
        table.records.set(index, { id: `${table.path}[${index}]`, number: table.next, item: row, columns: table.columns, cells: new Map() });
        found.push(table.records.get(index));
      }
      if (row.evidence) {
        table.columns.set(column, Math.max(table.columns.get(column) ?? column.length, shown(row.value).length));
        table.records.get(index).cells.set(column, row);
      }
    }
  }
  close();
  return found;
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
    .map((row) => ({ id: row.id, kind: row.status, label: `${row.path}: ${shown(row.value)}, ${row.status}`, boxes: boxes(row.evidence) }));
}

/** Spans of the text of a document without pages; `locators` has where the text of each locator begins. */
export function spans(list, locators) {
  return list
    .filter((row) => row.evidence && row.evidence.char_start !== undefined && row.evidence.char_start !== null && row.evidence.locator in locators)
    .map((row) => {
      const { locator, char_start: start, char_end: end } = row.evidence;
      return { id: row.id, kind: row.status, label: `${row.path}: ${shown(row.value)}, ${row.status}`, start: locators[locator] + start, end: locators[locator] + end };
    });
}

function boxes(evidence) {
  const own = (evidence.items ?? [evidence]).flatMap((one) => one.boxes ?? []);
  return own.filter((box, index) => own.findIndex((other) => JSON.stringify(other) === JSON.stringify(box)) === index);
}

export function count(list) {
  const counts = Object.fromEntries(Object.keys(STATUS).map((status) => [status, 0]));
  for (const row of list) if (row.evidence) counts[row.status] = (counts[row.status] ?? 0) + 1;
  return counts;
}
