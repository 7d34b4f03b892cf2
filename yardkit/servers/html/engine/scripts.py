"""What is asked of the page in the browser, in JavaScript: functions of one argument."""

_HELPERS = r"""
  const path = e => {
    const steps = [];
    for (; e && e.nodeType === 1; e = e.parentElement) {
      const tag = e.tagName.toLowerCase();
      if (e.id && /^[A-Za-z][\w-]*$/.test(e.id) && document.querySelectorAll('#' + e.id).length === 1) {
        steps.unshift('#' + e.id); break;
      }
      const twins = e.parentElement ? [...e.parentElement.children].filter(o => o.tagName === e.tagName) : [e];
      steps.unshift(twins.length > 1 ? `${tag}:nth-of-type(${twins.indexOf(e) + 1})` : tag);
    }
    return steps.join(' > ');
  };
  const words = (e, n = 80) => (e.innerText ?? e.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, n);
  const round = n => Math.round(n * 10) / 10;
  const shown = e => { const s = getComputedStyle(e), r = e.getBoundingClientRect();
    return s.visibility === 'visible' && s.display !== 'none' && +s.opacity > 0 && r.width > 0 && r.height > 0; };
  const hasText = e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  const scrolls = v => v === 'auto' || v === 'scroll';
  const cuts = v => v === 'hidden' || v === 'clip';
"""

OVERFLOW = (
    "() => {"
    + _HELPERS
    + r"""
  const width = document.documentElement.clientWidth, found = [], wide_ones = new Set();
  const inScroller = e => { for (let p = e.parentElement; p && p !== document.documentElement; p = p.parentElement) {
    const s = getComputedStyle(p);
    if ((scrolls(s.overflowX) || cuts(s.overflowX)) && p !== document.body) return true; } return false; };
  for (const e of document.body ? document.body.querySelectorAll('*') : []) {
    if (found.length >= 30) break;
    if (!shown(e)) continue;
    const r = e.getBoundingClientRect(), s = getComputedStyle(e);
    const inner = [...e.children].some(c => c.getBoundingClientRect().right > width + 1);
    const over = e.closest('td, th') === e ? e.closest('table') ?? e : e;
    if (r.right > width + 1 && !inner && !inScroller(e) && !wide_ones.has(over)) {
      wide_ones.add(over);
      const by_px = Math.round(over.getBoundingClientRect().right - width);
      found.push({kind: 'overflow', path: path(over), text: words(over), by_px});
    }
    const wide = e.scrollWidth - e.clientWidth, high = e.scrollHeight - e.clientHeight;
    const ellipsis = s.textOverflow === 'ellipsis' && wide > 1 && cuts(s.overflowX);
    const cut = ellipsis || (cuts(s.overflowX) && wide > 2) || (cuts(s.overflowY) && high > 3);
    if (cut && words(e) && s.display !== 'inline')
      found.push({kind: 'clipped text', path: path(e), text: words(e), by_px: Math.round(Math.max(wide, high))});
  }
  for (const i of document.images)
    if (i.complete && !i.naturalWidth && found.length < 40)
      found.push({kind: 'broken picture', path: path(i), text: i.getAttribute('src') || '', by_px: 0});
  return found; }"""
)
"""Elements that reach over the right edge (for cells their table), text cut off, pictures that did not load."""

CONTRAST = (
    "() => {"
    + _HELPERS
    + r"""
  const canvas = document.createElement('canvas'); canvas.width = canvas.height = 1;
  const pen = canvas.getContext('2d', {willReadFrequently: true});
  const rgba = c => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = c; pen.fillRect(0, 0, 1, 1);
    const d = pen.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = c => { const [r, g, b] = c.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { const layers = [];
    for (let p = e; p; p = p.parentElement) { const s = getComputedStyle(p);
      if (s.backgroundImage !== 'none') return null;
      const c = rgba(s.backgroundColor); layers.push(c); if (c[3] === 1) break; }
    return layers.reverse().reduce((below, c) => over(c, below), [255, 255, 255, 1]); };
  const found = [];
  for (const e of document.body ? document.body.querySelectorAll('*') : []) {
    if (found.length >= 30) break;
    if (!hasText(e) || !shown(e) || e.closest('[disabled], [aria-hidden=true]')) continue;
    const s = getComputedStyle(e), below = ground(e); if (!below) continue;
    const a = light(over(rgba(s.color), below)), b = light(below);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), size = parseFloat(s.fontSize);
    const needed = size >= 24 || (size >= 18.66 && +s.fontWeight >= 700) ? 3 : 4.5;
    if (ratio < needed - 0.005)
      found.push({path: path(e), text: words(e), ratio: Math.round(ratio * 100) / 100, needed,
        color: s.color, background: `rgb(${below.slice(0, 3).map(Math.round).join(', ')})`});
  }
  return found; }"""
)
"""Texts with less contrast than WCAG 2.2 asks for at level AA (1.4.3); over background pictures it is not known."""

BOXES = (
    "([selector, most]) => {"
    + _HELPERS
    + r"""
  let all; try { all = [...document.querySelectorAll(selector)]; } catch (e) { return {error: String(e.message)}; }
  return {total: all.length, boxes: all.slice(0, most).map(e => {
    const r = e.getBoundingClientRect(), s = getComputedStyle(e);
    return {path: path(e), tag: e.tagName.toLowerCase(), x: round(r.x + scrollX), y: round(r.y + scrollY),
      width: round(r.width), height: round(r.height), text: words(e),
      font: s.fontFamily, font_size_px: round(parseFloat(s.fontSize)),
      color: s.color, background: s.backgroundColor, display: s.display, hidden: !shown(e),
      clipped: (cuts(s.overflowX) && e.scrollWidth > e.clientWidth + 2)
        || (cuts(s.overflowY) && e.scrollHeight > e.clientHeight + 3),
      overflows: r.right > document.documentElement.clientWidth + 1};
  })}; }"""
)
"""Boxes and looks of the elements that a selector finds."""
