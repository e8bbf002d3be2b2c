/** Charts of the last minutes, with Chart.js. */

import { el } from './dom.js';

const STEPS = 100;
/** Frames do not come evenly: a rate over a shorter time would jump. */
const WINDOW_MILLIS = 5000;
const NAMES = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3], [1, 3], [10, 4]];

/** The present value of a colour in the style sheet, light or dark. */
export function colour(name) {
  const probe = el('span');
  probe.style.setProperty('color', `var(${name})`);
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** Makes a chart; works with `new` and without. Panels use it, too. */
export function chart(canvas, config) {
  window.Chart.defaults.color = colour('--soft');
  window.Chart.defaults.borderColor = colour('--line');
  window.Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  window.Chart.defaults.font.size = 11;
  return new window.Chart(canvas, config);
}

/** The rate of a count, per second. */
export function rates(series) {
  return (to) => (to - 1000 < series.times[0] ? null : series.rate(to - WINDOW_MILLIS, to));
}

/** The values of a gauge. */
export function values(series, scale = 1) {
  return (to) => (to < series.times[0] ? null : series.at(to) * scale);
}

/** One of the numbers of a measure of time, in milliseconds. */
export function times(series, position) {
  return (to) => (to < series.times[0] || series.at(to)[0] === 0 ? null : series.at(to)[position] / 1e6);
}

/** The names of the lines, each with its dashes. */
function legend(made) {
  return window.Chart.defaults.plugins.legend.labels.generateLabels(made).map((item) => ({
    ...item,
    lineDash: made.data.datasets[item.datasetIndex].borderDash,
    lineWidth: 2,
  }));
}

function ago(seconds) {
  if (seconds === 0) {
    return 'now';
  }
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/**
 * A chart over time.
 *
 * @param lines returns the lines for each drawing: a label, its value at a time, null for none, and a key that
 *     identifies the line, if it is not the label
 * @param options `colours` to take in turn, `whole` numbers only, `until` when values are known
 */
export function plot(model, title, unit, lines, options = {}) {
  const canvas = el('canvas', { role: 'img', 'aria-label': `${title}, ${unit}, of the last minutes` });
  const node = el(
    'figure',
    { class: 'plot' },
    el('figcaption', null, title, ' ', el('span', null, unit)),
    el('div', null, canvas),
  );
  const colours = options.colours ?? NAMES;
  /**
   * For each key, the line in the chart and its place among colours and dashes, which stays while other lines come and
   * go.
   */
  let drawn = new Map();
  let made;

  function make() {
    drawn = new Map();
    made = chart(canvas, {
      type: 'line',
      data: { datasets: [] },
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        elements: { point: { radius: 0, hitRadius: 8 }, line: { borderWidth: 1.75, tension: 0 } },
        scales: {
          x: {
            type: 'linear',
            max: 0,
            ticks: { includeBounds: false, maxRotation: 0, callback: ago },
            grid: { display: false },
          },
          y: { beginAtZero: true, grace: '5%', ticks: { maxTicksLimit: 5, precision: options.whole ? 0 : undefined } },
        },
        plugins: {
          legend: {
            display: true,
            position: 'bottom',
            labels: { usePointStyle: true, pointStyle: 'line', pointStyleWidth: 28, padding: 10, generateLabels: legend },
          },
          tooltip: {
            callbacks: {
              title: (items) => (items.length === 0 ? '' : `${Math.round(-items[0].parsed.x)} s ago`),
              label: (item) => ` ${item.dataset.label}: ${Number(item.parsed.y.toPrecision(3))} ${unit}`,
            },
          },
        },
      },
    });
  }

  /** Gives the chart exactly these lines. */
  function follow(wanted) {
    const before = drawn;
    const keyOf = ({ key, label }) => key ?? label;
    const taken = new Set(wanted.flatMap((line) => before.get(keyOf(line))?.place ?? []));
    drawn = new Map();
    for (const line of wanted) {
      let known = before.get(keyOf(line));
      if (known === undefined) {
        let place = 0;
        while (taken.has(place)) {
          place++;
        }
        taken.add(place);
        const borderColor = colour(line.colour ?? colours[place % colours.length]);
        known = { place, dataset: { borderColor, borderDash: DASHES[place % DASHES.length] } };
      }
      known.dataset.label = line.label;
      known.dataset.stepped = line.stepped ?? false;
      drawn.set(keyOf(line), known);
    }
    made.data.datasets = [...drawn.values()].map(({ dataset }) => dataset);
    return wanted.map((line) => [drawn.get(keyOf(line)).dataset, line]);
  }

  return {
    node,
    /** Draws the chart; without a line it is hidden. */
    draw() {
      const wanted = lines();
      node.hidden = wanted.length === 0;
      if (node.hidden) {
        return;
      }
      if (made === undefined) {
        make();
      }
      // In whole steps of the clock, so that a moving line does not tremble.
      const now = model.time;
      const size = Math.ceil(model.past / STEPS / 1000) * 1000;
      const last = Math.floor(now / size) * size;
      const scale = made.options.scales.x;
      scale.min = -model.past / 1000;
      scale.ticks.stepSize = model.past <= 90_000 ? 15 : model.past <= 180_000 ? 30 : 60;
      const until = options.until?.() ?? now;
      follow(wanted).forEach(([dataset, { at }]) => {
        dataset.data = Array.from({ length: STEPS + 1 }, (_, step) => {
          const to = last - (STEPS - step) * size;
          return { x: (to - now) / 1000, y: to > until || model.isGap(to) ? null : at(to) };
        });
      });
      made.update('none');
    },
    /** Redraws in other colours. */
    recolour() {
      made?.destroy();
      made = undefined;
    },
    close() {
      made?.destroy();
    },
  };
}
