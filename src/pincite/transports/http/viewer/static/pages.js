// Pages of a document: a picture, selectable text, and marks over both. A page exists once it is near the screen.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { memo, useConnection, useNear } from "./parts.js";

/**
 * @param source `picture(page, signal)` → address of a picture; `lines(page, signal)` → lines with boxes
 * @param sizes  width and height of each page, in the unit of the boxes
 * @param marks  `{id, kind, label, boxes: [{page, x0, y0, x1, y1}]}`
 * @param onPick called with `{text, span}` of what is clicked or drawn around; without it nothing is
 * @param turn   `{page}` to turn to, another object each time
 */
export function Pages({ source, sizes, marks, selected, onSelect, turn, onPage, onPick, zoom = 1 }) {
  const column = useRef(null);
  const byPage = useMemo(() => marksByPage(marks), [marks]);
  const target = marks.find((mark) => mark.id === selected);
  const first = target?.boxes[0];
  useLayoutEffect(() => {
    if (first) reveal(column.current, first, sizes);
  }, [selected, first && `${first.page} ${first.y0}`, sizes]);
  useLayoutEffect(() => {
    if (turn) column.current.querySelector(`[data-page="${turn.page}"]`)?.scrollIntoView();
  }, [turn, sizes]);
  const zoomed = useRef(zoom);
  useLayoutEffect(() => {
    column.current.scrollTop *= zoom / zoomed.current;
    zoomed.current = zoom;
  }, [zoom]);
  const seen = useRef({});
  const look = () => {
    const { clientWidth: width } = column.current;
    if (width === (seen.current.width ?? width)) seen.current = { width, page: pageAt(column.current), hasMark: first && areaOf(column.current, first, sizes)?.isSeen };
    onPage?.(seen.current.page);
  };
  // In another width there stays in view what was: the mark, else the page.
  useEffect(() => {
    const watching = new ResizeObserver(() => {
      const { width, page, hasMark } = seen.current;
      if (page && width !== column.current.clientWidth) column.current.children[page - 1].scrollIntoView();
      if (first && hasMark) reveal(column.current, first, sizes);
      seen.current.width = column.current.clientWidth;
      look();
    });
    watching.observe(column.current);
    return () => watching.disconnect();
  }, [first, sizes]);
  return html`<div class="pages" ref=${column} data-scroll tabindex="0" role="region" aria-label="Pages" style=${{ "--zoom": zoom }} onScroll=${look}>
    ${sizes.map(
      (size, index) =>
        html`<${Page} key=${index} number=${index + 1} size=${size} source=${source} marks=${byPage.get(index + 1) ?? NONE}
          selected=${target?.boxes.some((box) => box.page === index + 1) ? selected : null} onSelect=${onSelect} onPick=${onPick} total=${sizes.length}
          wanted=${first?.page === index + 1} />`,
    )}
  </div>`;
}

const NONE = [];
const SETTLED_MS = 100;

function marksByPage(marks) {
  const found = new Map();
  for (const mark of marks) {
    for (const page of new Set(mark.boxes.map((box) => box.page))) {
      if (!found.has(page)) found.set(page, []);
      found.get(page).push(mark);
    }
  }
  return found;
}

/** The number of the page a third down the column. */
export function pageAt(column) {
  const line = column.scrollTop + column.clientHeight / 3;
  let [low, high] = [0, column.children.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (column.children[middle].offsetTop <= line) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Where a box is in the column; nothing if its page is not there. */
function areaOf(column, box, sizes) {
  const page = column.querySelector(`[data-page="${box.page}"]`);
  if (!page) return undefined;
  const scale = page.clientWidth / (sizes[box.page - 1]?.[0] || 1);
  const [left, top] = [page.offsetLeft + box.x0 * scale, page.offsetTop + box.y0 * scale];
  const [right, bottom] = [left + (box.x1 - box.x0) * scale, top + (box.y1 - box.y0) * scale];
  const isSeen = top >= column.scrollTop && bottom <= column.scrollTop + column.clientHeight && left >= column.scrollLeft && right <= column.scrollLeft + column.clientWidth;
  return { left, top, isSeen };
}

function reveal(column, box, sizes) {
  const area = areaOf(column, box, sizes);
  if (!area || area.isSeen) return; // what was clicked must not move away under the pointer
  column.scrollTop = Math.max(0, area.top - column.clientHeight / 3);
  column.scrollLeft = Math.max(0, area.left - column.clientWidth / 3);
}

const Page = memo(function Page({ number, size, source, marks, selected, onSelect, onPick, total, wanted }) {
  const [element, isNear] = useNear();
  const near = isNear || wanted;
  const epoch = useConnection();
  const [shown, setShown] = useState({});
  useEffect(() => {
    if (!near) {
      setShown({});
      return undefined;
    }
    const control = new AbortController();
    const put = (values) => !control.signal.aborted && setShown((before) => ({ ...before, ...values }));
    const load = () => {
      source.picture(number, control.signal).then((url) => put({ url, error: undefined })).catch((error) => put({ error }));
      source.lines(number, control.signal).then((lines) => put({ lines })).catch(() => {});
    };
    // What is only scrolled past is not rendered, and the page that is wanted comes first.
    const timer = setTimeout(load, wanted ? 0 : SETTLED_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [near, source, number, epoch]);
  // Neither is made again when a mark is selected: a dense page has hundreds of lines.
  const text = useMemo(() => (shown.lines ?? NONE).map((line) => html`<${LineText} key=${line.start} line=${line} />`), [shown.lines]);
  const [width, height] = size[0] > 0 && size[1] > 0 ? size : [612, 792];
  const [drawn, setDrawn] = useState(null);
  const pressed = useRef([0, 0]);
  const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(event.currentTarget.getScreenCTM().inverse());
  const markAt = (event) => smallest(marks, number, at(event));
  // The text lies over the marks, so that it can be selected: a click on it that selects nothing is one on the mark.
  const pointing = onSelect && {
    onPointerDown: (event) => (pressed.current = [event.clientX, event.clientY]),
    onPointerMove: (event) => event.currentTarget.classList.toggle("on-mark", Boolean(markAt(event))),
    onClick: (event) => {
      const mark = !event.target.closest("[data-mark]") && markAt(event);
      const [x, y] = pressed.current;
      if (mark && event.detail === 1 && Math.hypot(event.clientX - x, event.clientY - y) < DRAG_PIXELS) onSelect(mark.id);
    },
  };
  const drawing = onPick && {
    onPointerDown: (event) => {
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      const { x, y } = at(event);
      setDrawn({ x, y, x1: x, y1: y });
    },
    onPointerMove: (event) => drawn && setDrawn({ ...drawn, x1: at(event).x, y1: at(event).y }),
    onPointerUp: () => {
      const picked = drawn && within(shown.lines ?? NONE, drawn);
      setDrawn(null);
      if (picked) onPick({ ...picked, boxes: picked.boxes.map((box) => ({ ...box, page: number })) });
    },
  };
  return html`<section class="page" ref=${element} data-page=${number} aria-label=${`Page ${number} of ${total}`}
      style=${{ aspectRatio: `${width} / ${height}` }}>
    ${shown.url && html`<img src=${shown.url} alt=${shown.lines?.length ? "" : `Page ${number}`} draggable=${false} decoding="async" />`}
    ${shown.error && html`<p class="message" role="alert">${shown.error.message}</p>`}
    ${near &&
    html`<svg viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="none" class=${onPick ? "picking" : undefined} ...${drawing || pointing}>
      ${drawn && html`<rect class="drawn" x=${Math.min(drawn.x, drawn.x1)} y=${Math.min(drawn.y, drawn.y1)} width=${Math.abs(drawn.x1 - drawn.x)} height=${Math.abs(drawn.y1 - drawn.y)} />`}
      ${marks.map((mark) => html`<${Mark} key=${mark.id} mark=${mark} page=${number} isSelected=${mark.id === selected} onSelect=${onSelect} />`)}
      ${text}
    </svg>`}
    <span class="page-number" aria-hidden="true">${number}</span>
  </section>`;
});

const CLICK_UNITS = 4;
const DRAG_PIXELS = 4; // a hand moves by less while it clicks

/** The mark at a point of a page, the smallest of several. */
function smallest(marks, page, { x, y }) {
  const areas = marks.flatMap((mark) =>
    mark.boxes
      .filter((box) => box.page === page && box.x0 <= x + 1 && x - 1 <= box.x1 && box.y0 <= y + 1 && y - 1 <= box.y1)
      .map((box) => ({ mark, area: (box.x1 - box.x0) * (box.y1 - box.y0) })),
  );
  return areas.sort((one, other) => one.area - other.area)[0]?.mark;
}

/**
 * `{text, span, boxes}` in a rectangle, by words; of a click the whole line, with the `share` of its width that is left of
 * the click. Null where there is none.
 */
export function within(lines, drawn) {
  const [x0, x1] = [Math.min(drawn.x, drawn.x1), Math.max(drawn.x, drawn.x1)];
  const [y0, y1] = [Math.min(drawn.y, drawn.y1), Math.max(drawn.y, drawn.y1)];
  const isClick = x1 - x0 < CLICK_UNITS && y1 - y0 < CLICK_UNITS;
  const found = lines.filter((line) => {
    const middle = (line.y0 + line.y1) / 2;
    return line.x0 <= x1 && line.x1 >= x0 && (isClick ? line.y0 <= y0 && line.y1 >= y0 : middle >= y0 && middle <= y1);
  });
  const texts = found.map((line) => (isClick ? line.text : words(line, x0, x1)));
  const text = texts.filter(Boolean).join(" ");
  if (!text) return null;
  const kept = found.filter((_, index) => texts[index]);
  const boxes = kept.map((line) => (isClick ? line : { ...line, x0: Math.max(line.x0, x0), x1: Math.min(line.x1, x1) }));
  const [{ x0: left, x1: right }] = kept;
  return { text, boxes, span: [Math.min(...kept.map((line) => line.start)), Math.max(...kept.map((line) => line.end))], share: isClick ? (x0 - left) / Math.max(right - left, 1) : undefined };
}

/** The words of a line whose middle is between two places; letters are taken to be equally wide. */
function words(line, x0, x1) {
  const unit = (line.x1 - line.x0) / Math.max(line.text.length, 1);
  return [...line.text.matchAll(/\S+/g)]
    .filter((word) => {
      const middle = line.x0 + (word.index + word[0].length / 2) * unit;
      return middle >= x0 && middle <= x1;
    })
    .map((word) => word[0])
    .join(" ");
}

function LineText({ line }) {
  const height = line.y1 - line.y0;
  if (!line.text || height <= 0) return null;
  return html`<text x=${line.x0} y=${line.y1 - height * 0.22} font-size=${Math.min(height * 0.82, 24)}
    textLength=${Math.max(line.x1 - line.x0, 1)} lengthAdjust="spacingAndGlyphs">${line.text + " "}</text>`;
}

const Mark = memo(function Mark({ mark, page, isSelected, onSelect }) {
  const boxes = mark.boxes.filter((box) => box.page === page);
  const rectangles = boxes.map(
    (box) => html`<rect x=${box.x0 - 1} y=${box.y0 - 1} width=${box.x1 - box.x0 + 2} height=${box.y1 - box.y0 + 2} rx="1" />`,
  );
  const name = `mark ${mark.kind} ${isSelected ? "selected" : ""}`;
  if (!onSelect || mark.kind === "picked") return html`<g class=${name} data-mark=${mark.id}>${rectangles}</g>`;
  const choose = () => onSelect(mark.id);
  const onKey = (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), choose());
  return html`<g class=${`${name} choosable`} data-mark=${mark.id} role="button" tabindex="0" aria-pressed=${isSelected}
    aria-label=${mark.label} onClick=${choose} onKeyDown=${onKey}><title>${mark.label}</title>${rectangles}</g>`;
});
