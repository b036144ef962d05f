// Requests to the server: the key, the connection's state, pictures that are kept while the page is open.

const KEY = "pincite-key";
const RETRY_MS = 2000;
const MAX_PICTURES = 120; // some 45 MB of pages at 380 kB

export const connection = { away: false, locked: false, refused: false, returns: 0, listeners: new Set() };

function change(values) {
  const wasOff = connection.away || connection.locked;
  Object.assign(connection, values);
  if (wasOff && !connection.away && !connection.locked) connection.returns++;
  for (const listener of connection.listeners) listener();
}

export function setKey(key) {
  sessionStorage.setItem(KEY, key);
  change({ locked: false });
}

export function headers() {
  const key = sessionStorage.getItem(KEY);
  return key ? { "x-api-key": key } : {};
}

export class Failure extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

function watchForReturn() {
  setTimeout(async () => {
    try {
      await fetch("/health", { cache: "no-store" });
      change({ away: false });
    } catch {
      watchForReturn();
    }
  }, RETRY_MS);
}

export async function request(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, { ...options, headers: { ...headers(), ...options.headers } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (!connection.away) {
      change({ away: true });
      watchForReturn();
    }
    throw new Failure("The server does not answer. The page goes on as soon as it does.", 0);
  }
  if (answer.ok) return answer;
  if (answer.status === 401) change({ locked: true, refused: sessionStorage.getItem(KEY) !== null });
  const body = await answer.json().catch(() => ({}));
  throw new Failure(body.error || body.detail || `The server answered with status ${answer.status}.`, answer.status);
}

const query = (values) =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined && value !== "" && value !== false));

export async function get(name, values = {}, signal) {
  return (await request(`api/${name}?${query(values)}`, { signal })).json();
}

// Pictures are fetched, not linked: an <img> cannot send the key.
const pictures = new Map();

export function picture(values, signal) {
  const path = `api/picture?${query(values)}`;
  const known = pictures.get(path);
  if (known) {
    pictures.delete(path);
    pictures.set(path, known);
    return known;
  }
  const loading = request(path, { signal })
    .then((answer) => answer.blob())
    .then((blob) => URL.createObjectURL(blob));
  pictures.set(path, loading);
  const forget = () => pictures.get(path) === loading && pictures.delete(path);
  loading.then(() => signal?.removeEventListener("abort", forget), forget);
  // At once: whoever needs the picture next must not get the one that was cancelled.
  signal?.addEventListener("abort", forget);
  if (pictures.size > MAX_PICTURES) {
    const [oldest, url] = pictures.entries().next().value;
    pictures.delete(oldest);
    url.then((made) => URL.revokeObjectURL(made)).catch(() => {});
  }
  return loading;
}

/** A task's values, or those of all tasks with the same fields, as the server writes them: CSV, XLSX, expected.json. */
export const exported = async (task, form, alike) => (await request(`api/export?${query({ task, as: form, alike })}`)).blob();

// With XMLHttpRequest, as fetch reports no progress of an upload.
export function upload(path, body, onProgress) {
  const sending = new XMLHttpRequest();
  const done = new Promise((resolve, reject) => {
    sending.open("POST", path);
    sending.responseType = "json";
    for (const [name, value] of Object.entries(headers())) sending.setRequestHeader(name, value);
    sending.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    sending.onload = () => {
      const answer = sending.response ?? {}; // null if it is no JSON, as of a proxy: its status says what it can
      if (sending.status < 300) resolve(answer);
      else reject(new Failure(answer.error || answer.detail || `The server answered with status ${sending.status}.`, sending.status));
    };
    sending.onerror = () => reject(new Failure("The connection was lost during the upload. Send it again.", 0));
    sending.onabort = () => reject(new Failure("The upload was cancelled.", 0));
    sending.send(body);
  });
  return { done, cancel: () => sending.abort() };
}
