// Searches: what the address says of one, and the way from hit to hit.

import { get } from "./api.js";
import { grouped } from "./parts.js";

const NAMES = ["q", "collection", "in", "type", "kind", "normative", "clause", "n"];

/** The part of an address that is a search; empty without a query. */
export const searchOf = (given) => (given.q ? Object.fromEntries(NAMES.filter((name) => given[name]).map((name) => [name, given[name]])) : {});

let last = { key: "", answer: null };

/** The answer to a search; that to the last one is kept for the way from hit to hit, and `isNew` asks again. */
export async function search(values, signal, isNew) {
  const key = JSON.stringify(values);
  if (isNew || last.key !== key) {
    const { in: document, n: count, ...others } = values;
    const answer = await get("search", { ...others, document, count }, signal);
    last = { key, answer: { ...answer, groups: [...grouped(answer.passages, (one) => JSON.stringify([one.collection, one.document])).values()] } };
  }
  return last.answer;
}

