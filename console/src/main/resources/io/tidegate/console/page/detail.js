/** One part: its present state, the last minutes, all of its measures, and its control. */

import { band } from './band.js';
import { GivenUp, post, sure } from './control.js';
import { attribute, el, keep, table, text } from './dom.js';
import { eventTable } from './events.js';
import { nanos, notRead, number, perSecond, tags, value } from './format.js';
import { inside } from './inside.js';
import { label, lately } from './kinds.js';
import { layers } from './layers.js';
import { pathOf } from './model.js';
import { plot, rates, times, values } from './plot.js';

const OUTCOMES = {
  __proto__: null,
  success: '--good',
  failure: '--bad',
  refused: '--series-4',
  timeout: '--series-3',
  cancelled: '--soft',
};

const REFUSALS = ['--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];

/** The question before an action that may do harm. */
const SURE = {
  'force-open': ['Force it open?', 'All calls are refused until it is reset.', 'Force open'],
  release: ['Release the domain?', 'Whoever works on it lets go, and the work may be done twice.', 'Release'],
  disable: ['Disable it?', 'No call is refused any more, however many fail, until it is reset.', 'Disable'],
};

/** A text of digits, because an offset may have more of them than a JavaScript number can hold. */
const WHOLE = { inputmode: 'numeric', pattern: '-?[0-9]+', title: 'a whole number' };

const VERBS = { 'force-open': 'Force open', reset: 'Reset', disable: 'Disable' };

export function detail(model, kind, name) {
  const parts = {
    unread: el('span', { class: 'unread' }),
    state: el('span', { class: 'state' }),
    tags: el('span', { class: 'tags' }),
  };
  const gone = el('p', { class: 'notice', role: 'status' });
  const unread = el('p', { class: 'notice', role: 'status', 'data-notice': 'unread' });
  const tiles = el('dl', { class: 'tiles' });
  const drain = drainProgress();
  const result = el('p', { class: 'answer', role: 'status' });
  const control = el('section', { class: 'control', 'aria-labelledby': 'control' });
  const states = band(model);
  const picture = layers(model);
  const plots = charts(model, () => model.find(kind, name));
  const more = inside(model, act);
  const measures = measureTable();
  const events = eventTable(`Events of ${name}`);
  const measureSection = el('section', null, el('h2', null, 'Measures'), measures.node);
  const eventSection = el('section', null, el('h2', null, 'Events'), events.node);
  const body = el(
    'div',
    null,
    control,
    result,
    tiles,
    drain.node,
    states.node,
    el('div', { class: 'seen' }, picture.node, el('div', { class: 'plots' }, plots.map((one) => one.node))),
    more.node,
    measureSection,
    eventSection,
  );
  const title = el(
    'div',
    { class: 'title' },
    el('h1', { tabindex: '-1' }, name),
    el('span', { class: 'kind' }, kind),
    parts.unread,
    parts.state,
    parts.tags,
  );
  const node = el(
    'div',
    { class: 'detail' },
    el('p', { class: 'crumb' }, el('a', { href: '#/' }, '← Overview')),
    title,
    gone,
    unread,
    body,
  );
  let actions = '';

  /** Runs an action on the part, and shows the answer. */
  async function act(action, sent, confirm) {
    const part = model.find(kind, name);
    if (part === undefined) {
      return false;
    }
    text(result, '');
    try {
      if (confirm !== undefined) {
        await sure(...confirm);
      }
      const answer = await post(pathOf(part, action), sent);
      attribute(result, 'class', 'answer done');
      text(result, `Done: ${action}${change(answer)}.`);
      return true;
    } catch (problem) {
      if (!(problem instanceof GivenUp)) {
        attribute(result, 'class', 'answer failed');
        text(result, `Not done: ${problem.message}`);
      }
      return false;
    }
  }

  function drawControl(part) {
    // Actions that need a group or a domain are in the tables of these; a runner has no such table.
    const listed = part.kind === 'lease' && part.one('in.flight') === undefined ? ['replay', 'release'] : ['evict'];
    const known = part.actions.filter((action) => !listed.includes(action));
    control.hidden = !model.control || known.length === 0;
    if (actions === known.join()) {
      return;
    }
    actions = known.join();
    control.replaceChildren(
      el('h2', { id: 'control' }, 'Control'),
      ...known.map((action) => {
        if (action === 'set-limit') {
          return fields(action, 'Set limit', [['limit', 'Limit', part.now('cap') ?? part.now('limit') ?? 0]]);
        }
        if (action === 'set-rate') {
          return fields(action, 'Set rate', [
            ['permits', 'Permits', part.now('limit')],
            ['periodMillis', 'Period in ms', 1000],
          ]);
        }
        if (action === 'replay') {
          return fields(action, 'Replay', [['domain', 'Domain'], ['offset', 'Offset', undefined, WHOLE]]);
        }
        if (action === 'release') {
          return fields(action, 'Release', [['domain', 'Domain']]);
        }
        return el('button', { type: 'button', onclick: () => act(action, {}, SURE[action]) }, VERBS[action] ?? action);
      }),
    );
  }

  /** The form of an action with arguments: texts, and numbers where there is a first value. */
  function fields(action, verb, wanted) {
    const inputs = wanted.map(([key, , first, more]) => el('input', {
      type: first === undefined ? 'text' : 'number',
      min: first === undefined ? null : '0',
      required: true,
      name: key,
      value: first === undefined ? null : Math.round(first),
      ...more,
    }));
    const sent = (input) => (input.type === 'number' ? Number(input.value) : input.value);
    return el(
      'form',
      {
        onsubmit: (event) => {
          event.preventDefault();
          act(action, Object.fromEntries(inputs.map((input) => [input.name, sent(input)])), SURE[action]);
        },
      },
      wanted.map(([, name], i) => el('label', null, `${name} `, inputs[i])),
      el('button', null, verb),
    );
  }

  function draw() {
    const part = model.find(kind, name);
    gone.hidden = part !== undefined;
    body.hidden = part === undefined;
    unread.hidden = part?.unread === undefined;
    if (part === undefined) {
      const heard = model.time > 0;
      text(gone, heard ? `There is no ${kind} of this name any more.` : 'Waiting for the console.');
      return;
    }
    const state = part.now('state') ?? '';
    text(parts.state, state);
    attribute(parts.state, 'data-state', state);
    text(parts.tags, tags(part.tags));
    text(parts.unread, notRead(part));
    text(unread, part.unread === undefined
      ? ''
      : `This part could not be read: ${part.unread}. Its last values stay here until it can be.`);
    attribute(title, 'class', part.unread === undefined ? 'title' : 'title old');
    attribute(body, 'class', part.unread === undefined ? null : 'old');
    const now = part.asOf(model.time);
    drawControl(part);
    drawTiles(tiles, part, now);
    drain.draw(part);
    states.node.hidden = part.one('state') === undefined;
    if (!states.node.hidden) {
      states.draw(part);
    }
    picture.node.hidden = part.layers === undefined;
    if (!picture.node.hidden) {
      picture.draw(part);
    }
    plots.forEach((one) => one.draw());
    more.draw(part);
    measureSection.hidden = part.series.length === 0;
    measures.draw(part, now);
    const own = model.events.filter((event) => event.kind === kind && event.name === name);
    eventSection.hidden = own.length === 0;
    events.draw(own);
  }

  draw();
  return {
    node,
    title: `${name} (${kind})`,
    draw,
    // Sizes are known only on the page.
    shown: draw,
    recolour() {
      plots.forEach((one) => one.recolour());
      draw();
    },
    close() {
      plots.forEach((one) => one.close());
    },
  };
}

/** What an action changed, if the console reports it. */
function change({ before, after }) {
  return before === undefined || after === undefined ? '' : `, ${before} → ${after}`;
}

const TILES = [
  'in.flight', 'limit', 'cap', 'waiting', 'lease.left', 'failure.rate', 'slow.rate', 'groups', 'running', 'domains',
  'backlog', 'failed', 'parked', 'lost', 'budget', 'burst', 'held.oldest', 'latency.p99', 'failed.claims',
];

/** The most important numbers. */
function drawTiles(node, part, now) {
  // A breaker's measure `lost` needs no attention.
  const wanted = TILES.filter((measure) => measure !== 'lost' || part.kind === 'lease');
  const shown = wanted.filter((measure) => part.one(measure) !== undefined)
    .map((measure) => [label(part.kind, measure), value(part.one(measure)), measure]);
  const refused = part.all('refused');
  if (refused.length > 0) {
    shown.push(['refused lately', perSecond(lately(part, 'refused', now)), 'refused.lately']);
  }
  const run = part.time('run');
  if (run !== undefined && run.value[0] > 0) {
    shown.push(['run p50', nanos(run.value[2]), 'run.p50'], ['run p99', nanos(run.value[3]), 'run.p99']);
  }
  node.hidden = shown.length === 0;
  keep(node, shown, ([, , id]) => id, ([, , id]) => el('div', { 'data-tile': id }, el('dt'), el('dd')), (div, tile) => {
    text(div.firstChild, tile[0]);
    text(div.lastChild, tile[1]);
  });
}

/** The progress of a lowered cap: from the number in flight when it was lowered, down to the cap. */
function drainProgress() {
  const bar = el('progress', { max: '1', 'aria-label': 'Drained' });
  const line = el('span');
  const node = el('p', { class: 'drain' }, el('b', null, 'Draining '), bar, ' ', line);
  return {
    node,
    draw(part) {
      const draining = part.one('draining');
      const inFlight = part.one('in.flight');
      node.hidden = draining?.value !== 1 || inFlight === undefined;
      if (node.hidden) {
        return;
      }
      const began = draining.times[draining.times.length - 1];
      const most = Math.max(inFlight.at(began), inFlight.value);
      const target = part.now('limit') ?? 0;
      bar.value = most > target ? Math.min(1, (most - inFlight.value) / (most - target)) : 1;
      text(line, `${number(inFlight.value)} in flight, ${number(target)} allowed; nobody is let in until then`);
    },
  };
}

/** All charts that some kind of part can have. */
function charts(model, find) {
  const of = (part, measure, line) => part.all(measure).map((series) => ({ key: series.key, ...line(series) }));
  const until = () => find().asOf(model.time);
  return [
    plot(model, 'Ended', 'a second', () => {
      const part = find();
      return of(part, 'ended', (series) => ({
        label: series.tags.outcome ?? 'ended',
        at: rates(series),
        colour: OUTCOMES[series.tags.outcome],
      }));
    }, { until }),
    plot(model, 'Let through', 'a second', () => {
      const part = find();
      const admitted = of(part, 'admitted', (series) => ({ label: 'admitted', at: rates(series) }));
      return part.all('ended').length > 0 ? [] : admitted;
    }, { until }),
    plot(model, 'Refused', 'a second', () => {
      const counted = find().all('refused').filter((series) => series.value > 0);
      return counted.map((series) => ({ key: series.key, label: series.tags.code ?? 'refused', at: rates(series) }));
    }, { until, colours: REFUSALS }),
    plot(model, 'Load', 'at once', () => {
      const part = find();
      return ['in.flight', 'limit', 'waiting', 'backlog']
        .map((measure) => part.one(measure))
        .filter((series) => series !== undefined && !(part.kind === 'rate' && series.measure === 'limit'))
        .map((series) => ({
          label: label(part.kind, series.measure),
          at: values(series),
          colour: series.measure === 'limit' ? '--soft' : undefined,
          stepped: true,
        }));
    }, { until, whole: true }),
    plot(model, 'Run time', 'ms', () => percentiles(find().time('run')), { until }),
    plot(model, 'Wait time', 'ms', () => percentiles(find().time('wait')), { until }),
    plot(model, 'Engine', 'ms', () => {
      const part = find();
      const trips = of(part, 'round.trip', (series) => ({
        label: `${series.tags.operation} p99`,
        at: times(series, 3),
      }));
      return [...trips, ...percentiles(part.time('claims'))];
    }, { until }),
    plot(model, 'Rates in the window', '%', () => [
      ...of(find(), 'failure.rate', (series) => ({ label: 'failures', at: values(series, 100), colour: '--bad' })),
      ...of(find(), 'slow.rate', (series) => ({ label: 'slow', at: values(series, 100), colour: '--warn' })),
    ], { until }),
    plot(model, 'Attempts', 'a second', () => ['retries', 'hedges']
      .flatMap((measure) => of(find(), measure, (series) => ({ label: measure, at: rates(series) }))), { until }),
  ];
}

function percentiles(series) {
  return series === undefined || series.value[0] === 0
    ? []
    : [{ label: 'p50', at: times(series, 2) }, { label: 'p99', at: times(series, 3) }];
}

/** All measures of a part. */
function measureTable() {
  const columns = ['Measure', 'Tags', 'Value', 'A second', 'p50', 'p99', 'max'];
  const { node, rows } = table('Measures', columns, { class: 'measures' });
  return {
    node,
    draw(part, now) {
      keep(
        rows,
        part.series,
        (series) => series.key,
        (series) => el(
          'tr',
          { 'data-measure': series.key },
          el('th', { scope: 'row' }, series.measure),
          el('td', null, tags(series.tags)),
          Array.from({ length: 5 }, () => el('td', { class: 'number' })),
        ),
        (row, series) => {
          const [, , present, rate, p50, p99, max] = row.children;
          text(present, value(series));
          const counted = series.type === 'count' || series.type === 'time';
          text(rate, counted ? perSecond(series.rate(now - 10_000, now)) : '');
          const times = series.type === 'time' && series.value[0] > 0;
          [p50, p99, max].forEach((cell, i) => {
            text(cell, times ? nanos(series.value[2 + i]) : '');
            attribute(cell, 'title', times ? `${series.value[2 + i]} ns` : null);
          });
        },
      );
    },
  };
}
