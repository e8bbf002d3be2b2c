/** The states of a part over the last minutes, as a band. */

import { attribute, el, keep, svg, text } from './dom.js';
import { number, seconds } from './format.js';

const WIDTH = 1000;

/** The width of a change that was over before the next frame. */
const TICK = 3;

/** The height of each state in the band, so that colour is not the only sign: a higher state lets less through. */
const HEIGHTS = { __proto__: null, CLOSED: 8, DISABLED: 4, HALF_OPEN: 16, OPEN: 24, FORCED_OPEN: 24 };

export function states(model, part) {
  const series = part.one('state');
  const begin = model.time - model.past;
  const seen = series.times.map((time, i) => ({ time, state: series.values[i] }));
  const past = model.events.filter((event) => event.type === 'state' && event.kind === part.kind
    && event.name === part.name && event.time < seen[0].time);
  const earlier = past.map((event) => ({ time: event.time, state: event.code }));
  if (past.length > 0) {
    earlier.unshift({ time: begin, state: String(past[0].text).split(' ')[0] });
  }
  const all = [...earlier, ...seen].filter((entry, i, list) => i === 0 || entry.state !== list[i - 1].state);
  const first = all.findLastIndex((entry) => entry.time <= begin);
  return all.slice(Math.max(0, first)).map((entry) => ({ ...entry, time: Math.max(entry.time, begin) }));
}

/** How often the state changed and changed back before the next frame, as it does with probes. */
function missed(generation, span, isLast) {
  const end = isLast ? span.end : span.end - 1;
  return generation === undefined ? 0 : Math.max(0, generation.at(end) - generation.at(span.time));
}

export function band(model) {
  const rows = svg('g');
  const ticks = svg('g', { class: 'ticks' });
  const gaps = svg('g', { class: 'gaps' });
  const picture = svg(
    'svg',
    { class: 'band', viewBox: `0 0 ${WIDTH} 24`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    rows,
    ticks,
    gaps,
  );
  const begin = el('span');
  const story = el('ol', { class: 'story' });
  return {
    node: el(
      'section',
      { 'aria-label': 'State over the last minutes' },
      el('h2', null, 'State'),
      picture,
      el('p', { class: 'axis', 'aria-hidden': 'true' }, begin, el('span', null, 'now')),
      story,
    ),
    draw(part) {
      const entries = states(model, part);
      text(begin, `${seconds(Math.round(model.past / 1000))} ago`);
      const ends = entries.map((entry, i) => entries[i + 1]?.time ?? Math.max(entry.time, part.asOf(model.time)));
      const place = (time) => WIDTH * (1 - (model.time - time) / model.past);
      const spans = entries.map((entry, i) => ({ ...entry, end: ends[i], lasted: (ends[i] - entry.time) / 1000 }));
      const counted = part.one('generation');
      const generation = counted?.type === 'count' ? counted : undefined;
      spans.forEach((span, i) => {
        span.missed = missed(generation, span, i === spans.length - 1);
      });
      keep(rows, spans, (span) => span.time, () => svg('rect'), (rect, span) => {
        const height = HEIGHTS[span.state] ?? 12;
        attribute(rect, 'data-state', span.state);
        attribute(rect, 'x', place(span.time).toFixed(1));
        attribute(rect, 'width', Math.max(1.5, place(span.end) - place(span.time)).toFixed(1));
        attribute(rect, 'y', 24 - height);
        attribute(rect, 'height', height);
      });
      const seen = new Set(spans.map((span) => span.time));
      const changes = (generation?.times ?? []).slice(1).filter((time) => time > model.time - model.past);
      keep(ticks, changes.filter((time) => !seen.has(time)), (time) => time, () => svg('rect'), (rect, time) => {
        attribute(rect, 'x', (place(time) - TICK / 2).toFixed(1));
        attribute(rect, 'width', TICK);
        attribute(rect, 'height', 24);
      });
      keep(gaps, model.gaps, (gap) => gap.from, () => svg('rect'), (rect, gap) => {
        const from = Math.max(0, place(gap.from));
        attribute(rect, 'x', from.toFixed(1));
        attribute(rect, 'width', Math.max(0, place(gap.to) - from).toFixed(1));
        attribute(rect, 'height', 24);
      });
      keep(story, spans.slice(-6), (span) => span.time, () => el('li', null, el('b'), ' ', el('span')), (li, span) => {
        attribute(li, 'data-state', span.state);
        text(li.firstChild, span.state);
        const between = span.missed === 0 ? '' : `, with ${number(span.missed)} short changes`;
        text(li.lastChild, `${seconds(Math.round(span.lasted))}${between}`);
      });
    },
  };
}
