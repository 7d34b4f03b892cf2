// What can be seen of a page: each piece of text with the boxes of its lines, and each picture.
() => {
  const MAX = 4000;
  const hides = v => v !== 'visible';
  const shown = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true, checkOpacity: true,
    checkVisibilityCSS: true});
  const boxOf = r => [r.left + scrollX, r.top + scrollY, r.right + scrollX, r.bottom + scrollY];

  // What a clip-path with straight sides leaves of a box; any other shape leaves its bounds.
  const clipped = (box, path) => {
    const inset = path.match(/^inset\(([^)]*?)(?: round .*)?\)/);
    if (!inset) return box;
    const at = inset[1].trim().split(/\s+/), sides = [at[0], at[1] ?? at[0], at[2] ?? at[0], at[3] ?? at[1] ?? at[0]];
    const [top, right, bottom, left] = sides.map((v, n) =>
      v.endsWith('%') ? parseFloat(v) / 100 * (n % 2 ? box.width : box.height) : parseFloat(v) || 0);
    return new DOMRect(box.left + left, box.top + top, Math.max(0, box.width - left - right),
      Math.max(0, box.height - top - bottom));
  };

  // The boxes that may cut off what stands in an element.
  const frames = e => {
    const found = [];
    let position = getComputedStyle(e).position;
    for (let a = e; a && a !== document.body && a !== document.documentElement; a = a.parentElement) {
      const s = getComputedStyle(a);
      if (a !== e && position === 'fixed') break;
      if (a !== e && position === 'absolute' && s.position === 'static') continue;
      if (a !== e) position = s.position;
      if (hides(s.overflowX) || hides(s.overflowY) || s.clipPath !== 'none' || s.clip !== 'auto')
        found.push(clipped(a.getBoundingClientRect(), s.clipPath));
    }
    return found;
  };
  const colorOf = text => (text.match(/[\d.]+/g) ?? []).map(Number);
  const light = c => {
    const [r, g, b] = c.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const over = (c, ground) => ground.map((v, n) => v + (c[n] - v) * (c[3] ?? 1));

  // The colour behind an element, or null where a picture may give it.
  const groundOf = e => {
    const layers = [];
    for (let a = e; a; a = a.parentElement) {
      const s = getComputedStyle(a), c = colorOf(s.backgroundColor);
      if (s.backgroundImage !== 'none') return null;
      layers.push(c);
      if ((c[3] ?? 1) >= 1) break;
      if (['absolute', 'fixed'].includes(s.position)) return null;
    }
    return layers.reverse().reduce((ground, c) => over(c, ground), [255, 255, 255]);
  };
  // Whether letters have nearly the colour of their ground, or nearly none.
  const faint = e => {
    let opacity = 1;
    for (let a = e; a; a = a.parentElement) opacity *= +getComputedStyle(a).opacity;
    const ground = groundOf(e), c = colorOf(getComputedStyle(e).webkitTextFillColor);
    if (opacity * (c[3] ?? 1) < 0.25) return true;
    if (!ground || c.length < 3) return false;
    const [one, two] = [light(over([...c.slice(0, 3), opacity * (c[3] ?? 1)], ground)), light(ground)];
    return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05) < 1.3;
  };
  // Whether so much of the corners of a picture is rounded away that it is not whole.
  const rounded = (s, r) => ['TopLeft', 'TopRight', 'BottomLeft', 'BottomRight'].some(corner => {
    const text = s[`border${corner}Radius`].split(' ')[0];
    const size = text.endsWith('%') ? parseFloat(text) / 100 * Math.min(r.width, r.height) : parseFloat(text) || 0;
    return size > 0.25 * Math.min(r.width, r.height);
  });
  const paints = e => {
    const s = getComputedStyle(e);
    if (+s.opacity < 0.1) return false;
    if (['IMG', 'SVG', 'VIDEO', 'CANVAS', 'INPUT', 'BUTTON', 'IFRAME'].includes(e.tagName.toUpperCase())) return true;
    const alpha = s.backgroundColor.match(/^rgba\(.*, ([\d.]+)\)$/);
    return s.backgroundImage !== 'none' || !alpha || +alpha[1] > 0.2;
  };
  const coveredAt = (p, x, y) => {
    const top = document.elementFromPoint(x, y);
    if (!top || top === p || top.contains(p)) return false;
    for (let e = top; e && !e.contains(p); e = e.parentElement) if (paints(e)) return true;
    return false;
  };
  const covered = (p, r) => {
    const y = (r.top + r.bottom) / 2, step = Math.min(4, r.width / 2);
    return [r.left + step, (r.left + r.right) / 2, r.right - step].some(x => coveredAt(p, x, y));
  };
  const state = (e, rects) => {
    if (!shown(e) || !rects.length) return 'hidden';
    const around = frames(e);
    if (around.some(b => b.width < 3 || b.height < 3)) return 'hidden';
    if (rects.every(r => r.right <= 0 || r.bottom <= 0)) return 'hidden';
    if (rects.some(r => around.some(b =>
      r.left < b.left - 2 || r.right > b.right + 2 || r.top < b.top - 3 || r.bottom > b.bottom + 3))) return 'cut';
    return '';
  };

  const sheet = document.createElement('style');
  sheet.textContent = '* { pointer-events: auto !important; }';
  document.head.append(sheet);
  const words = [], pictures = [];
  const walker = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode() && words.length < MAX) {
    const node = walker.currentNode, p = node.parentElement;
    const text = node.textContent.replace(/\s+/g, ' ').trim();
    if (!text || ['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'TITLE'].includes(p.tagName.toUpperCase())) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(r => r.width > 0.5 && r.height > 0.5);
    const how = state(p, rects) || (faint(p) && 'hidden') || (rects.some(r => covered(p, r)) ? 'covered' : 'seen');
    words.push({text, tag: p.tagName.toLowerCase(), size: parseFloat(getComputedStyle(p).fontSize), state: how,
      boxes: rects.slice(0, 200).map(boxOf)});
  }
  for (const i of [...document.images].slice(0, MAX)) {
    const r = i.getBoundingClientRect(), s = getComputedStyle(i);
    pictures.push({source: i.getAttribute('src') ?? '', box: boxOf(r), size: [i.naturalWidth, i.naturalHeight],
      displayed_size: [i.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight),
        i.clientHeight - parseFloat(s.paddingTop) - parseFloat(s.paddingBottom)],
      fit: s.objectFit, state: state(i, r.width && r.height ? [r] : []) || (rounded(s, r) && 'cut') || (covered(i, r) ? 'covered' : 'seen')});
  }
  sheet.remove();
  const wide = Math.max(document.documentElement.scrollWidth, document.body ? document.body.scrollWidth : 0);
  const high = Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0);
  return {content_width: wide, content_height: high, words, pictures};
}
