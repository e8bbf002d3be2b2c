/** A view that another module of the program brings along, with a script of its own. */

import { el, text } from './dom.js';

export function panel(model, post, chart) {
  const listeners = new Set();
  const status = el('p', { class: 'calm', role: 'status' }, 'Loading.');
  const place = el('div');
  const node = el('div', { class: 'panel' }, el('h1', { tabindex: '-1', class: 'hidden' }, 'Panel'), status, place);
  let mounted;
  let left = false;
  let last;

  const api = {
    state: () => model.panel?.state ?? {},
    onState(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    act: (action, body) => post(`api/panel/${encodeURIComponent(action)}`, body),
    model,
    chart,
  };

  async function load() {
    try {
      const loaded = await import('./panel/panel.js');
      if (!left) {
        status.hidden = true;
        mounted = loaded;
        loaded.mount(place, api);
      }
    } catch (problem) {
      text(status, `This view could not be loaded: ${problem.message}`);
    }
  }

  load();
  return {
    node,
    title: model.panel?.title ?? 'Panel',
    draw() {
      const state = api.state();
      if (mounted !== undefined && state !== last) {
        last = state;
        listeners.forEach((listener) => listener(state));
      }
    },
    close() {
      left = true;
      mounted?.unmount?.();
    },
  };
}
