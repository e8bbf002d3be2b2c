/** A guard as a picture: calls come in at the top and go through its layers; refused calls leave to the right. */

import { el, svg } from './dom.js';
import { nanos, number, perSecond } from './format.js';
import { LATELY_MILLIS, lately } from './kinds.js';
import { addressOf } from './model.js';

const ROW = 78;
const BOX = 50;
const TOP = 40;
const WIDEST = 26;
const NARROW = 480;

/** From this share of refused calls on, a layer is bad; below, it only needs attention. */
const BAD_SHARE = 0.1;

/** Which layers refuse with codes of these prefixes. */
const PREFIXES = {
  __proto__: null,
  bulkhead: 'AB_',
  breaker: 'CB_',
  rate: 'RL_',
  remote: 'RB_',
  cluster: 'RB_',
};

export function layers(model) {
  const holder = el('div', { class: 'layers' });
  const node = el(
    'section',
    { 'aria-labelledby': 'layers' },
    el('h2', { id: 'layers' }, 'Layers ', el('span', null, `calls a second, of the last ${LATELY_MILLIS / 1000} s`)),
    holder,
  );
  let drawn = '';

  return {
    node,
    draw(guard) {
      const width = Math.max(280, Math.min(720, holder.clientWidth));
      const steps = flow(model, guard);
      const now = JSON.stringify([width, steps]);
      // Redraws only changes, so that links keep their focus.
      if (now !== drawn) {
        const focused = holder.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
        drawn = now;
        holder.replaceChildren(picture(guard, steps, width));
        [...holder.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus();
      }
    },
  };
}

/** How many calls enter each layer, and how many leave there. */
function flow(model, guard) {
  const now = guard.asOf(model.time);
  const rate = (series) => series.rate(now - LATELY_MILLIS, now);
  const refused = guard.all('refused').map((series) => ({
    code: series.tags.code,
    rate: rate(series),
    total: series.value,
  }));
  const outcome = (name) => guard.all('ended').filter((series) => series.tags.outcome === name);
  const limits = guard.layers.filter((layer) => /time/.test(layer.layer)).length;
  let timedOut = false;
  let calls = lately(guard, 'calls', now);
  const steps = guard.layers.map((layer) => {
    const part = layer.name === undefined ? undefined : model.find(layer.kind, layer.name);
    const prefix = PREFIXES[layer.kind ?? layer.layer];
    const leave = [];
    if (prefix !== undefined) {
      for (const refusal of refused.filter((one) => !one.taken && String(one.code).startsWith(prefix))) {
        refusal.taken = true;
        leave.push({ name: refusal.code, rate: refusal.rate, total: refusal.total, bad: true });
      }
    }
    // The code of a time limit does not say which of several limits it was.
    if (/time/.test(layer.layer) && !timedOut) {
      timedOut = true;
      for (const series of outcome('timeout').filter((one) => one.value > 0)) {
        leave.push({
          name: limits > 1 ? 'timeout, any limit' : 'timeout',
          rate: rate(series),
          total: series.value,
          bad: true,
        });
      }
    }
    const step = { ...layer, calls, leave, ...about(guard, layer, part, now) };
    if (part?.unread !== undefined) {
      step.line = step.line === '' ? 'not read' : `not read; was ${step.line}`;
    }
    calls = Math.max(0, calls - leave.reduce((sum, one) => sum + one.rate, 0));
    if (layer.layer === 'retry') {
      calls += lately(guard, 'retries', now);
    } else if (layer.layer === 'hedge') {
      calls += lately(guard, 'hedges', now);
    }
    return step;
  });
  const rest = refused.filter((one) => !one.taken && one.total > 0);
  steps.push({
    layer: 'the call itself',
    calls,
    line: '',
    leave: [
      ...['success', 'failure', 'cancelled'].flatMap((name) => outcome(name)
        .filter((series) => series.value > 0)
        .map((series) => ({ name, rate: rate(series), total: series.value, bad: name === 'failure' }))),
      ...rest.map((one) => ({ name: one.code, rate: one.rate, total: one.total, bad: true })),
    ],
  });
  return steps;
}

/** A line about the state of a layer. */
function about(guard, layer, part, now) {
  if (layer.layer === 'retry') {
    const budget = guard.now('budget');
    const left = budget === undefined ? '' : `, budget ${number(Math.floor(budget))}`;
    return { line: `${perSecond(lately(guard, 'retries', now))}${left}` };
  }
  if (layer.layer === 'hedge') {
    return { line: `${perSecond(lately(guard, 'hedges', now))} hedges` };
  }
  if (part === undefined) {
    return { line: layer.millis === undefined ? '' : nanos(layer.millis * 1e6) };
  }
  const state = part.now('state');
  if (state !== undefined) {
    return { line: state, state, there: true };
  }
  const inFlight = part.now('in.flight');
  const limit = part.now('limit');
  if (inFlight !== undefined && limit !== undefined) {
    return { line: `${number(inFlight)} of ${number(limit)} in flight`, full: inFlight >= limit, there: true };
  }
  return { line: limit === undefined ? '' : `${number(limit)} a second`, there: true };
}

function picture(guard, steps, width) {
  const box = Math.max(150, Math.min(300, width * 0.46));
  const height = TOP + steps.length * ROW;
  const most = Math.max(1, ...steps.map((step) => step.calls));
  const thick = (rate) => (rate === 0 ? 1.5 : Math.max(3, (WIDEST * rate) / most));
  const middle = box / 2;
  const root = svg('svg', {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    class: width < NARROW ? 'narrow' : null,
    role: 'group',
    'aria-label': `Layers of ${guard.name}, outermost first`,
  });
  root.append(svg('text', { x: middle + 22, y: 15, class: 'rate' }, `${perSecond(steps[0].calls)} calls`));
  steps.forEach((step, i) => {
    const y = TOP + i * ROW;
    const from = i === 0 ? 0 : y - (ROW - BOX);
    root.append(svg('path', {
      class: step.calls > 0 ? 'stream' : 'stream idle',
      d: `M${middle} ${from}V${y}`,
      'stroke-width': thick(step.calls).toFixed(1),
    }));
    if (step.calls > 0) {
      root.append(svg('path', { class: 'moving', d: `M${middle} ${from}V${y}` }));
    }
    if (i > 0) {
      root.append(svg('text', { x: middle + WIDEST / 2 + 8, y: y - 10, class: 'rate' }, perSecond(step.calls)));
    }
  });
  steps.forEach((step, i) => root.append(row(step, TOP + i * ROW, box, width, thick)));
  return root;
}

/** The full text of a shortened label, as a tooltip. */
function whole(shown, all) {
  return shown === all ? undefined : svg('title', null, all);
}

function row(step, y, box, width, thick) {
  const bad = step.leave.filter((one) => one.bad).reduce((sum, one) => sum + one.rate, 0);
  const room = Math.floor((box - 24) / 7);
  const short = (label) => (label.length > room ? `${label.slice(0, room - 1)}…` : label);
  const layer = step.layer.replaceAll('-', ' ');
  const title = step.name === undefined ? layer : `${layer} ${step.name}`;
  const name = svg('text', { x: 14, y: y + 21, class: 'name' }, short(title), whole(short(title), title));
  const shut = step.state === 'OPEN' || step.state === 'FORCED_OPEN' || step.full;
  const group = svg('g', {
    class: `layer${shut ? ' hot' : ''}${bad > 0 ? ' refusing' : ''}${shut || bad >= BAD_SHARE * step.calls ? '' : ' some'}`,
    'data-layer': step.layer,
  });
  group.append(
    svg('rect', { x: 0.75, y: y + 0.75, width: box - 1.5, height: BOX - 1.5, rx: 6, class: 'box' }),
    svg('rect', { x: 0, y: y + 8, width: 4, height: BOX - 16, rx: 2, class: 'mark' }),
    step.there ? svg('a', { href: addressOf(step.kind, step.name) }, name) : name,
    svg('text', { x: 14, y: y + 39, class: 'line' }, short(step.line)),
  );
  const leave = [...step.leave].sort((a, b) => b.rate - a.rate || b.total - a.total).slice(0, 3);
  const space = Math.floor((width - box - 30) / (width < NARROW ? 7 : 7.6));
  const caption = (one) => {
    const left = space - perSecond(one.rate).length - 1;
    return one.name.length > left ? `${one.name.slice(0, left - 1)}…` : one.name;
  };
  leave.forEach((one, i) => {
    const at = y + BOX / 2 + (i - (leave.length - 1) / 2) * 17;
    group.append(
      svg('path', {
        class: one.rate === 0 ? 'exit idle' : one.bad ? 'exit bad' : 'exit',
        d: `M${box} ${at}H${box + 22}`,
        'stroke-width': Math.min(12, thick(one.rate)).toFixed(1),
      }),
      svg(
        'text',
        { x: box + 30, y: at + 4, class: one.bad && one.rate > 0 ? 'refusals bad' : 'refusals', 'data-code': one.name },
        svg('tspan', { class: 'rate' }, perSecond(one.rate)),
        ` ${caption(one)}`,
        whole(caption(one), one.name),
        width < NARROW ? '' : svg('tspan', { class: 'total' }, `  ${number(one.total)} in all`),
      ),
    );
  });
  return group;
}
