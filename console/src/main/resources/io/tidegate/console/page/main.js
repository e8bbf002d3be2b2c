/** Shows the views of the page: which one, when it is drawn, and the frame around it. */

import { decoded, post, takeToken } from './control.js';
import { detail } from './detail.js';
import { attribute, el, keep, text } from './dom.js';
import { events } from './events.js';
import { clock } from './format.js';
import { Connection, Model } from './model.js';
import { overview } from './overview.js';
import { panel } from './panel.js';
import { chart } from './plot.js';
import { Tabs } from './tabs.js';

const model = new Model();
const connection = new Connection(model);
const tabs = new Tabs(connect);
const main = document.getElementById('main');
let view;
let asked = false;

function connect() {
  if (tabs.hasStream) {
    connection.keep();
  } else {
    connection.rest();
  }
}

/** Draws at most once in an animation frame, however many changes come, and not while the page is hidden. */
function draw() {
  if (!asked) {
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      frame();
      view?.draw();
    });
  }
}

/** The frame around the view. */
function frame() {
  const entries = [['#/', 'Overview'], ['#/events', 'Events']];
  if (model.panel?.title !== undefined) {
    entries.push(['#/panel', model.panel.title]);
  }
  keep(
    document.getElementById('views'),
    entries,
    ([href]) => href,
    ([href, name]) => el('a', { href }, name),
    (link, [href]) => attribute(link, 'aria-current', href === (location.hash || '#/') ? 'page' : null),
  );
  const state = model.old && model.link !== 'lost' ? 'old' : model.link;
  const link = document.getElementById('link');
  attribute(link, 'data-link', state);
  text(link, { connecting: 'Connecting', live: 'Live', old: 'Nothing new', lost: 'Connection lost' }[state]);
  const banner = document.getElementById('lost');
  banner.hidden = state !== 'lost' && state !== 'old';
  attribute(banner, 'class', state === 'old' ? 'banner old' : 'banner');
  text(document.getElementById('lost-text'), warning(state));
}

function warning(state) {
  if (state === 'old') {
    return `Values are old. You see how things were at ${clock(model.time)}; the connection is there, but has no news.`;
  }
  return model.time === 0
    ? 'The console does not answer. This page tries again by itself.'
    : `Connection lost. You see how things were at ${clock(model.time)}. This page tries again by itself.`;
}

function viewOf(hash) {
  const found = /^#\/part\/([^/]*)\/([^/]*)$/.exec(hash);
  if (found !== null) {
    return detail(model, decoded(found[1]), decoded(found[2]));
  }
  if (hash === '#/events') {
    return events(model);
  }
  return hash === '#/panel' ? panel(model, post, chart) : overview(model);
}

function show(byReader) {
  view?.close();
  view = viewOf(location.hash);
  main.replaceChildren(view.node);
  document.title = `${view.title} · Tidegate`;
  window.scrollTo(0, 0);
  view.shown?.();
  frame();
  if (byReader) {
    // Moves the focus to the new view, for screen readers and the keyboard.
    main.querySelector('h1')?.focus({ preventScroll: true });
  }
}

function theme(chosen) {
  attribute(document.documentElement, 'data-theme', chosen === 'auto' ? null : chosen);
  view?.recolour?.();
}

const themes = document.getElementById('theme');
themes.value = localStorage.getItem('tidegate.theme') ?? 'auto';
theme(themes.value);
themes.addEventListener('change', () => {
  localStorage.setItem('tidegate.theme', themes.value);
  theme(themes.value);
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => view?.recolour?.());
document.getElementById('retry').addEventListener('click', () => connection.open());
document.getElementById('skip').addEventListener('click', (event) => {
  // The address names the present view; it must not become "#main".
  event.preventDefault();
  main.focus();
});
window.addEventListener('hashchange', () => {
  takeToken();
  show(true);
});
window.addEventListener('resize', draw);

takeToken();
show(false);
model.onChange(draw);
connect();
