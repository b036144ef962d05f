// The result of an extraction as rows: one for each value, with its evidence; objects and lists are headings.

export const STATUS = {
  verified: { sign: "✓", word: "verified", says: "The document says this, word for word." },
  derived: { sign: "ƒ", word: "derived", says: "Follows from the document's words by a rule." },
  ungrounded: { sign: "✕", word: "ungrounded", says: "The document does not have it." },
  conflict: { sign: "≠", word: "conflict", says: "The document says something else there." },
  absent: { sign: "–", word: "absent", says: "Not found in the document." },
};

const isRecord = (node) => node && typeof node === "object" && !Array.isArray(node) && "locator" in node && "snippet" in node && typeof node.status === "string";

/** `{id, depth, name, path, value, evidence}` in order; rows without evidence are headings. */
export function rows(data, evidence) {
  const found = [];
  walk(data, evidence, "", "", 0, found);
  return found;
}

function walk(data, evidence, name, path, depth, found) {
  if (isRecord(evidence)) {
    found.push({ id: path || "value", depth, name, path, value: data, evidence });
    return;
  }
  if (evidence === null || typeof evidence !== "object") return;
  if (path) found.push({ id: path, depth, name, path });
  const inner = path ? depth + 1 : depth;
  if (Array.isArray(evidence)) {
    evidence.forEach((one, index) => walk(data?.[index], one, `${index + 1}.`, `${path}[${index}]`, inner, found));
  } else {
    for (const [key, one] of Object.entries(evidence)) walk(data?.[key], one, key, path ? `${path}.${key}` : key, inner, found);
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
