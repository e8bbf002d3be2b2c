/** The lab's view: sliders and switches, their effects, and tours. */

import { attribute, el, keep, text } from '../dom.js';

const KEPT_SECONDS = 120;
const SHOWN_SECONDS = 30;
/** A pause longer than this is a gap, of which nothing is known. */
const GAP_MILLIS = 5000;
const COLOURS = ['--series-2', '--series-1', '--series-3', '--series-4'];
const DASHES = [[6, 3], [], [2, 2], [8, 3, 2, 3]];
const STAGES = {
  shop: 'A service under load',
  tenants: 'Tenants',
  orders: 'Orders',
  remote: 'A live cap',
  cluster: 'A cluster',
};

let unsubscribe;
let charts = [];

function rate(value) {
  return `${value >= 9.95 ? Math.round(value) : Number(value.toFixed(1))}/s`;
}

function millis(value) {
  if (value >= 1000) {
    return `${(value / 1000).toFixed(1)} s`;
  }
  return value === 0 ? '–' : `${value >= 10 ? Math.round(value) : value.toFixed(1)} ms`;
}

/** The ends of calls: figure, label, and the class of its colour. */
const ENDS = [
  ['goodput', 'Goodput'],
  ['refused', 'Refused'],
  ['late', 'Given up'],
  ['failed', 'Failed'],
];

/** The present value of a colour of the style sheet. */
function colour(name) {
  const probe = el('span');
  probe.style.setProperty('color', `var(${name})`);
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** The names of the lines, each with its dashes. */
function generateLabels(made) {
  return made.data.datasets.map((line, datasetIndex) => ({
    datasetIndex,
    text: line.label,
    fontColor: colour('--soft'),
    strokeStyle: line.borderColor,
    lineDash: line.borderDash,
    lineWidth: 2,
    pointStyle: 'line',
  }));
}

/** A chart of one figure of all lanes over the last minutes. */
function history(api, title, unit, figure) {
  const canvas = el('canvas', { role: 'img', 'aria-label': `${title}, ${unit}, of the last minutes` });
  const node = el(
    'figure',
    { class: 'plot' },
    el('figcaption', null, title, ' ', el('span', null, unit)),
    el('div', null, canvas),
  );
  let samples = [];
  let names = '';
  let made;

  function lines(lanes) {
    const now = samples.at(-1).time;
    return lanes.map((lane, place) => ({
      label: lane.name,
      data: samples.map((sample) => ({ x: (sample.time - now) / 1000, y: sample.lanes?.[place][figure] ?? null })),
      borderColor: colour(COLOURS[place % COLOURS.length]),
      borderDash: DASHES[place % DASHES.length],
    }));
  }

  return {
    node,
    add(time, lanes, tour) {
      const seen = [tour, ...lanes.map((lane) => lane.name)].join('\n');
      if (seen !== names) {
        samples = [];
        names = seen;
      }
      const last = samples.at(-1)?.time ?? time;
      const gap = time - last > GAP_MILLIS ? [{ time: last + 1 }] : [];
      samples = [...samples.slice(1 - KEPT_SECONDS), ...gap, { time, lanes }];
      node.hidden = lanes.length === 0;
      if (lanes.length === 0) {
        return;
      }
      made ??= api.chart(canvas, {
        type: 'line',
        data: { datasets: [] },
        options: {
          animation: false,
          maintainAspectRatio: false,
          elements: { point: { radius: 0 }, line: { borderWidth: 2 } },
          scales: {
            x: { type: 'linear', min: -KEPT_SECONDS, max: 0, ticks: { callback: (at) => (at === 0 ? 'now' : `${at} s`) } },
            y: { beginAtZero: true, grace: '5%' },
          },
          plugins: {
            legend: { position: 'bottom', labels: { usePointStyle: true, pointStyle: 'line', pointStyleWidth: 28, generateLabels } },
          },
        },
      });
      made.data.datasets = lines(lanes);
      // The known time fills the chart, until it is longer than the chart can show.
      const span = Math.ceil((time - samples[0].time) / 1000);
      made.options.scales.x.min = -Math.min(KEPT_SECONDS, Math.max(SHOWN_SECONDS, span));
      made.update('none');
    },
    close: () => made?.destroy(),
  };
}

export function mount(element, api) {
  const style = el('link', { rel: 'stylesheet', href: 'panel/panel.css' });
  const answer = el('p', { class: 'answer', role: 'status' });
  const held = new Set();

  async function act(action, body) {
    try {
      const came = await api.act(action, body);
      text(answer, came?.killed === undefined ? '' : `Killed: ${came.killed}`);
      attribute(answer, 'class', 'answer done');
    } catch (problem) {
      text(answer, problem.message);
      attribute(answer, 'class', 'answer failed');
    }
  }

  const tours = el('div', { class: 'lab-head', role: 'group', 'aria-label': 'Tours' });
  const says = el('p', { class: 'says', role: 'status' });
  const step = el('span', { class: 'step' });
  const next = el('button', { type: 'button', onclick: () => act('next', {}) }, 'Next step');
  const stop = el('button', { type: 'button', onclick: () => act('stop', {}) }, 'Stop the tour');
  const going = el('div', { class: 'lab-head' }, next, stop, step);
  const tour = el('section', { class: 'lab-tour', 'aria-label': 'Tour' }, says, going);
  const stages = el('div', { class: 'lab-head', role: 'group', 'aria-label': 'What to play with' });
  const title = el('h2');
  const sliders = el('div', { class: 'lab-sliders' });
  const note = el('p', { class: 'lab-note', role: 'status' });
  const switches = el('div', { class: 'lab-switches' });
  const reset = el('button', { type: 'button', onclick: () => act('reset', {}) }, 'Reset');
  const protection = el(
    'section',
    { class: 'lab-box', 'aria-label': 'Protection' },
    el('h2', null, 'Protect it ', el('span', null, 'one of two services that are the same; the other stays bare')),
    switches,
  );
  const play = el(
    'div',
    { class: 'lab-play' },
    el('section', { class: 'lab-box', 'aria-label': 'Sliders' }, el('h2', null, 'Push it'), sliders, note, reset),
    protection,
  );
  const kill = el('button', { type: 'button', class: 'danger', onclick: () => act('kill', {}) });
  const killing = el('div', { class: 'lab-head' }, kill);
  const people = el('ul', { class: 'lab-people', 'aria-label': 'Workers' });
  const customers = el('ul', { class: 'lab-people', 'aria-label': 'Customers' });
  const rows = el('dl', { class: 'tiles' });
  const lanes = el('div', { class: 'lab-lanes' });
  charts = [
    history(api, 'Goodput', 'calls answered in time, a second', 'goodput'),
    history(api, 'Wait, p99', 'ms, refusals aside', 'p99'),
    history(api, 'Inside the service', 'calls', 'inside'),
  ];
  const plots = el('div', { class: 'plots' }, charts.map((chart) => chart.node));

  function drawTours(state) {
    keep(
      tours,
      state.tours ?? [],
      (one) => one.name,
      (one) => el('button', { type: 'button', onclick: () => act('tour', { name: one.name }) }, one.title),
      (button, one) =>
        attribute(button, 'aria-pressed', state.tour !== undefined && !state.tour.over && state.tour.name === one.name),
    );
    const walked = state.tour;
    tour.hidden = walked === undefined;
    if (walked !== undefined) {
      text(says, walked.says);
      const sign = walked.seen ? 'to be seen now ✓' : 'wait for it …';
      text(step, walked.over ? walked.title : `${walked.title}, step ${walked.step} of ${walked.steps}: ${sign}`);
      next.hidden = walked.over;
      stop.hidden = walked.over;
    }
  }

  function drawStages(state) {
    keep(
      stages,
      state.stages ?? [],
      (name) => name,
      (name) => el('button', { type: 'button', onclick: () => act('stage', { name }) }, STAGES[name] ?? name),
      (button, name) => attribute(button, 'aria-pressed', String(state.stage === name)),
    );
    text(title, state.title);
    title.hidden = state.stage === 'shop'; // the boxes have titles of their own
  }

  function slider(one) {
    const output = el('output', { for: `lab-${one.name}` });
    const input = el('input', {
      id: `lab-${one.name}`,
      type: 'range',
      min: one.min,
      max: one.max,
      oninput: () => {
        held.add(one.name);
        text(output, `${input.value} ${one.unit}`);
      },
      onchange: async () => {
        await act('set', { slider: one.name, value: Number(input.value) });
        held.delete(one.name);
      },
    });
    return el('div', { class: 'lab-slider' }, el('label', { for: `lab-${one.name}` }, one.label), output, input);
  }

  function drawSliders(state) {
    play.hidden = !state.sliders?.length;
    protection.hidden = state.switches === undefined;
    reset.hidden = protection.hidden;
    text(note, state.more?.note);
    note.hidden = state.more?.note === undefined;
    keep(sliders, state.sliders ?? [], (one) => one.name, slider, (node, one) => {
      // A slider that the user holds keeps its place.
      if (!held.has(one.name)) {
        node.querySelector('input').value = one.value;
        text(node.querySelector('output'), `${one.value} ${one.unit}`);
      }
    });
    keep(
      switches,
      state.switches ?? [],
      (one) => one.name,
      (one) =>
        el(
          'label',
          { class: 'lab-switch' },
          el('input', {
            type: 'checkbox',
            role: 'switch',
            onchange: (event) => act('switch', { protection: one.name, on: event.target.checked }),
          }),
          el('span', null, one.label, el('span', { class: 'hint' }, one.hint)),
        ),
      (node, one) => {
        node.querySelector('input').checked = one.on;
      },
    );
  }

  function lane(one) {
    const figures = [
      ...ENDS.map(([name, label]) => [name, label, rate, name]),
      ['p99', 'Wait, p99', millis],
      ['inside', 'Inside', String],
    ];
    const cells = figures.map(([name, label, format, kind]) => {
      const value = el('dd', { class: kind });
      return { name, format, value, node: el('div', null, el('dt', null, label), value) };
    });
    const node = el('section', { class: 'lab-lane', 'aria-label': one.name }, el('h2', null, one.name));
    node.bar = ENDS.map(([name]) => el('div', { class: name }));
    node.append(
      el('div', { class: 'lab-bar', 'aria-hidden': 'true' }, node.bar),
      el('dl', null, cells.map((cell) => cell.node)),
    );
    node.cells = cells;
    return node;
  }

  function drawFigures(state) {
    keep(lanes, state.lanes ?? [], (one) => one.name, lane, (node, one) => {
      node.cells.forEach((cell) => {
        text(cell.value, cell.format(one[cell.name]));
        attribute(cell.value, 'data-none', one[cell.name] === 0 ? '' : null);
      });
      node.bar.forEach((part, place) => part.style.setProperty('flex-grow', one[ENDS[place][0]]));
    });
    keep(
      rows,
      state.more?.rows ?? [],
      (row) => row.label,
      (row) => el('div', null, el('dt', null, row.label), el('dd')),
      (node, row) => text(node.querySelector('dd'), row.value),
    );
    rows.hidden = state.more?.rows === undefined;
    keep(people, state.more?.workers ?? [], (one) => one.name, () => el('li'), (node, one) => {
      text(node, `${one.name}: ${one.state}`);
      attribute(node, 'data-state', one.state);
    });
    keep(customers, state.more?.customers ?? [], (one) => one.name, () => el('li'), (node, one) =>
      text(node, `${one.name}: ${one.ended} orders ended`),
    );
    people.hidden = state.more?.workers === undefined;
    customers.hidden = state.more?.customers === undefined;
    killing.hidden = state.canKill !== true;
    text(kill, state.stage === 'cluster' ? 'Kill a member' : 'Kill a worker');
  }

  function draw(state) {
    drawTours(state);
    drawStages(state);
    drawSliders(state);
    drawFigures(state);
    charts.forEach((chart) => chart.add(api.model.time, state.lanes ?? [], state.tour?.name));
  }

  element.append(
    style,
    el(
      'p',
      { class: 'lab-lead' },
      'A real service on this machine gets real calls. Take a tour to see what each part of Tidegate does for it, ',
      'or push it over the edge yourself: offer more than it can carry, then protect it. ',
      'The same parts in detail, with all they measure: ',
      el('a', { href: '#/' }, 'Overview'),
      '.',
    ),
    el('h2', null, 'Tours ', el('span', null, 'with an explanation at each step')),
    tours,
    tour,
    el('h2', null, 'Or play yourself'),
    stages,
    title,
    answer,
    play,
    killing,
    people,
    customers,
    rows,
    lanes,
    plots,
  );
  unsubscribe = api.onState(draw);
  draw(api.state());
}

export function unmount() {
  unsubscribe?.();
  charts.forEach((chart) => chart.close());
  charts = [];
}
