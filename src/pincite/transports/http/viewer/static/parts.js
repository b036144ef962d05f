// Small parts that every view uses.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact-htm.js";
import { connection, setKey } from "./api.js";

const PENDING_MS = 2000;

export function parameters() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

export function link(values) {
  return `#${new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined && value !== ""))}`;
}

/** Load something whenever its inputs change, the server is back, the key is given, or, every two seconds, while it `isPending`. */
export function useLoaded(load, inputs, isPending) {
  const [state, setState] = useState({ loading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (state.loading || !state.value || !isPending?.(state.value)) return undefined;
    const timer = setTimeout(() => setTurn((count) => count + 1), PENDING_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const epoch = useConnection();
  useEffect(() => {
    const control = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    load(control.signal, turn)
      .then((value) => setState({ value, loading: false }))
      .catch((error) => error.name !== "AbortError" && setState((before) => ({ ...before, error, loading: false })));
    return () => control.abort();
  }, [...inputs, epoch, turn]);
  return state;
}

/** Render again whenever the state of the connection changes; return how often it came back. */
export function useConnection() {
  const [, redraw] = useState(0);
  useEffect(() => {
    const changed = () => redraw((count) => count + 1);
    connection.listeners.add(changed);
    return () => connection.listeners.delete(changed);
  }, []);
  return connection.returns;
}

/** A component that is rendered again only when one of its properties is another. */
export function memo(component) {
  return function Memo(props) {
    this.shouldComponentUpdate = (next) => Object.keys(next).some((name) => next[name] !== this.props[name]);
    return html`<${component} ...${props} />`;
  };
}

const NARROW = "(max-width: 760px)"; // as in style.css

/** Whether the window is as narrow as a phone. */
export function useNarrow() {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const changed = () => setNarrow(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return narrow;
}

/** Whether an element is on the screen, or close to it; `root` is the element that scrolls. */
export function useNear(margin = "150%") {
  const element = useRef(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const root = element.current.closest("[data-scroll]");
    const watching = new IntersectionObserver((entries) => setNear(entries.at(-1).isIntersecting), { root, rootMargin: `${margin} 0px` });
    watching.observe(element.current);
    return () => watching.disconnect();
  }, []);
  return [element, near];
}

export function Message({ error, children }) {
  return html`<p class="message" role=${error ? "alert" : "status"}>${error ? error.message : children}</p>`;
}

/** A view while it is loaded, or why it cannot be, with where to go instead. */
export const Waiting = ({ error, children }) => html`<main class="column"><${Opening} error=${error} />${error && html`<p>${children}</p>`}</main>`;

export const Opening = ({ error, what = "" }) => html`<${Message} error=${error}>Opening${what}…<//>${!error && html`<progress aria-label=${`Opening${what}`}></progress>`}`;

/** A button that asks for files. */
export function FileButton({ label, multiple, accept, input, onFiles }) {
  return html`<label class="file">${label}<input type="file" class="unseen" ref=${input} multiple=${multiple} accept=${accept.join(",")}
    onChange=${(event) => onFiles([...event.target.files])} /></label>`;
}

/** What became of files that are sent one after the other: `send(file, onProgress)` resolves to what is said of it, or to nothing. */
export function useSending(send) {
  const [files, setFiles] = useState([]);
  const add = async (chosen) => {
    const update = (number, values) => setFiles((before) => before.map((one, index) => (index === number ? { ...one, ...values } : one)));
    setFiles(chosen.map((file) => ({ name: file.name, share: 0 })));
    for (const [number, file] of chosen.entries()) {
      const sent = await send(file, (share) => update(number, { share })).catch((error) => ({ says: error.message, failed: true }));
      update(number, { share: 1, isQuiet: !sent, ...sent });
    }
    setFiles((before) => before.filter((one) => !one.isQuiet));
  };
  return [files, add];
}

export function Sent({ files }) {
  return html`<div class="added" role="status"><ul>${files.map((file, number) => html`<li key=${number}>${file.name} ${file.says
    ? html`<span class=${file.failed ? "flag" : "quiet"}>${file.says}</span>`
    : html`<progress max="1" value=${file.share < 1 ? file.share : undefined} aria-label=${`Sending ${file.name}`}></progress>`}</li>`)}</ul></div>`;
}

export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A button that opens a list of actions: `[label, what it does, action]` each. */
export function Menu({ label, entries, onError }) {
  const box = useRef(null);
  const close = () => {
    box.current.open = false;
  };
  const closed = (event) => {
    if (event.key !== "Escape" || !box.current.open) return;
    close();
    box.current.querySelector("summary").focus();
  };
  const run = (action) => async () => {
    close();
    await Promise.resolve(action()).catch(onError);
  };
  return html`<details class="menu" ref=${box} onKeyDown=${closed} onFocusOut=${(event) => event.relatedTarget && !box.current.contains(event.relatedTarget) && close()}>
    <summary>${label}</summary>
    <ul>${entries.map(([name, says, action]) => html`<li key=${name}><button type="button" onClick=${run(action)}><b>${name}</b> <span class="quiet">${says}</span></button></li>`)}</ul></details>`;
}

let keysAreOff = false;

const KEYS = {
  "/, Ctrl+K": "into the search box; Enter opens the best hit, ↓ leads to the results",
  "n, p, Esc": "next hit, previous hit, back to the results",
  "f, Ctrl+F": "find words in the document; Enter, Shift+Enter: next place, previous place",
  "o, ←, →": "outline, previous page, next page",
  "+, -, 0": "larger, smaller, as before",
  "↑, ↓": "from hit to hit, or from value to value",
  "a, x, e": "accept the value, reject it, correct it; on a row, x removes it",
  "?": "this list",
};

/** The list of keys, and the switch for those that are letters or signs: who speaks to the computer types them unawares. */
export function KeyHelp() {
  const dialog = useRef(null);
  const [isOff, setOff] = useState(keysAreOff);
  const toggle = () => {
    keysAreOff = !isOff;
    setOff(!isOff);
  };
  const [isOpen, setOpen] = useState(false);
  useEffect(() => isOpen && dialog.current.showModal(), [isOpen]);
  const open = () => setOpen(true);
  useKeys({ "?": open });
  return html`<button type="button" class="keys" title="All keys (?)" onClick=${open}>Keys</button>
    ${isOpen && html`<dialog ref=${dialog} aria-labelledby="keys" onClose=${() => setOpen(false)}><h2 id="keys">Keys</h2>
      <dl>${Object.entries(KEYS).map(([keys, does]) => html`<div key=${keys}><dt>${keys}</dt><dd>${does}</dd></div>`)}</dl>
      <p><label class="choice"><input type="checkbox" checked=${!isOff} onChange=${toggle} /> <span>Single letters and signs are keys</span></label></p>
      <button type="button" class="primary" onClick=${() => dialog.current.close()}>Close</button></dialog>`}`;
}

/** Keys of a view, by name; none of them while one types. */
export function useKeys(keys) {
  useLayoutEffect(() => {
    const pressed = (event) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if ((keysAreOff && event.key.length === 1) || document.querySelector("dialog[open]")) return;
      const name = `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.key}`;
      if ((isTyping && name === event.key) || event.altKey || !Object.hasOwn(keys, name)) return;
      event.preventDefault();
      keys[name]();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

export function CopyButton({ text, label = "Copy" }) {
  const [done, setDone] = useState("");
  const copy = async () => {
    setDone((await copied(typeof text === "function" ? text() : text)) ? "Copied" : "Not copied");
    setTimeout(() => setDone(""), 1500);
  };
  return html`<button type="button" onClick=${copy} aria-live="polite">${done || label}</button>`;
}

/** Put a text into the clipboard; return whether it is there. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers have that clipboard on HTTPS and on this machine only: not for a server of the network.
    const area = document.createElement("textarea");
    const before = document.activeElement;
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    before?.focus();
    return done;
  }
}

/** A list of which only what is seen exists: rows of one height. */
export function Windowed({ count, height, row, label, focus, head }) {
  const box = useRef(null);
  const [range, setRange] = useState([0, 40]);
  useEffect(() => {
    const element = box.current;
    const update = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / height) - 10);
      setRange([first, first + Math.ceil(element.clientHeight / height) + 20]);
    };
    update();
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [height, count]);
  useEffect(() => {
    if (focus === undefined || focus < 0) return;
    const element = box.current;
    const top = focus * height;
    if (top < element.scrollTop || top + height > element.scrollTop + element.clientHeight) {
      element.scrollTop = Math.max(0, top - element.clientHeight / 3);
    }
  }, [focus, height]);
  const [first, end] = [Math.min(range[0], count), Math.min(range[1], count)];
  const rows = [];
  for (let number = first; number < end; number++) rows.push(row(number));
  return html`<div class="windowed" ref=${box} data-scroll tabindex="0" role="region" aria-label=${label}>${head}
    <div style=${{ height: `${count * height}px`, position: "relative" }}>
      <div style=${{ position: "absolute", insetInline: 0, top: `${first * height}px` }}>${rows}</div>
    </div>
  </div>`;
}

/** The members of a list by key, in the order of their first. */
export function grouped(list, keyOf) {
  const groups = new Map();
  for (const one of list) {
    const key = keyOf(one);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(one);
  }
  return groups;
}

/** A button that does something only once it was confirmed. */
export function Confirmed({ label, name, question, onYes }) {
  const [isAsked, setAsked] = useState(false);
  const answer = (isYes) => () => {
    setAsked(false);
    if (isYes) onYes();
  };
  return isAsked
    ? html`<button type="button" onClick=${answer(true)}>${question}</button><button type="button" onClick=${answer(false)}>Keep it</button>`
    : html`<button type="button" aria-label=${`${label} ${name}`} onClick=${() => setAsked(true)}>${label}</button>`;
}

export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

export function ago(time) {
  const seconds = (Date.now() - Date.parse(time)) / 1000;
  if (seconds < 5) return "just now";
  for (const [unit, size] of [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]]) {
    if (seconds >= size) return `${plural(Math.floor(seconds / size), unit)} ago`;
  }
  return "just now";
}

export function KeyForm() {
  const [key, setValue] = useState("");
  const send = (event) => {
    event.preventDefault();
    setKey(key.trim());
  };
  return html`<main class="column narrow"><h1>This server needs a key</h1>
    ${connection.refused && html`<p class="message" role="alert">The server does not know this key. Look for a letter too many or too few.</p>`}
    <form class="key" onSubmit=${send}>
      <label>Key <input type="password" required autocomplete="off" value=${key} onInput=${(event) => setValue(event.target.value)} /></label>
      <button class="primary">Open</button>
    </form>
    <p class="quiet">It is the value of MCP_API_KEY that the server was started with: ask whoever runs it. This browser keeps it until the tab is closed, and sends it to this server alone.</p></main>`;
}
