const WIDTH = 1000;
const NAMES = 400;
const RIGHT = 70;
const TOP = 64;
const ROW = 22;
const INDENT = 14;

const STYLE = `
  text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1f2933 }
  .title { font-size: 15px; font-weight: 600 }
  .quiet { fill: #52606d }
  .end { text-anchor: end }
  .line { stroke: #d9e2ec }
  .paper { fill: #ffffff }
  .api { fill: #2f6fed }
  .worker { fill: #c2571a }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .quiet { fill: #9fb0c0 }
    .line { stroke: #30363d }
    .paper { fill: #0d1117 }
    .api { fill: #6c9bff }
    .worker { fill: #f0883e }
  }`;

const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
const round = (number) => Math.round(number * 10) / 10;
const processOf = ({ service }) => (service.endsWith('worker') ? 'worker' : 'api');

/** Spans with their depths, each above what it caused, the earliest first. */
function inOrder(spans) {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = Map.groupBy(spans, ({ parentSpanId }) => (ids.has(parentSpanId) ? parentSpanId : undefined));
  const walk = (parent, depth) =>
    (below.get(parent) ?? []).flatMap((span) => [{ span, depth }, ...walk(span.spanId, depth + 1)]);
  return walk(undefined, 0);
}

/** About five marks on the axis, at round numbers of milliseconds. */
function marksUpTo(ms) {
  const magnitude = 10 ** Math.floor(Math.log10(ms / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((one) => ms / one <= 6);
  return Array.from({ length: Math.floor(ms / step) + 1 }, (_, index) => index * step);
}

/** A trace as SVG: a line for each span, its name indented below what caused it, and when it ran. */
export function draw(spans, title) {
  const rows = inOrder(spans);
  const start = Math.min(...spans.map(({ startMs }) => startMs));
  const duration = Math.max(...spans.map(({ endMs }) => endMs)) - start;
  const x = (ms) => round(NAMES + ((ms - start) / duration) * (WIDTH - NAMES - RIGHT));
  const height = TOP + rows.length * ROW + 12;
  const axis = marksUpTo(duration).map((mark) => {
    const at = x(start + mark);
    return `<line class="line" x1="${at}" x2="${at}" y1="${TOP - 8}" y2="${height - 8}"/>
<text class="quiet" x="${at}" y="${TOP - 14}">${round(mark)} ms</text>`;
  });
  const lines = rows.map(({ span, depth }, index) => {
    const y = TOP + index * ROW;
    const width = Math.max(1.5, round(x(span.endMs) - x(span.startMs)));
    const kind = span.kind === 'internal' ? '' : ` <tspan class="quiet">${span.kind}</tspan>`;
    return `<text x="${16 + depth * INDENT}" y="${y + 15}">${escaped(span.name)}${kind}</text>
<rect class="${processOf(span)}" x="${x(span.startMs)}" y="${y + 4}" width="${width}" height="${ROW - 8}" rx="2"/>
<text class="quiet" x="${round(x(span.endMs) + 5)}" y="${y + 15}">${round(span.endMs - span.startMs)} ms</text>`;
  });
  const legend = ['api', 'worker'].map(
    (
      name,
      index,
    ) => `<rect class="${name}" x="${WIDTH - 180 + index * 80}" y="14" width="12" height="12" rx="2"/>
<text x="${WIDTH - 162 + index * 80}" y="24">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}
</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
<text class="title" x="16" y="26">${escaped(title)}</text>
${[...legend, ...axis, ...lines].join('\n')}
</svg>
`;
}
