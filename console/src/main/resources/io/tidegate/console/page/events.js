/** The events, as they happen. */

import { attribute, el, keep, table, text } from './dom.js';
import { clock, number } from './format.js';
import { inOrder } from './kinds.js';
import { addressOf } from './model.js';

const MOST_ROWS = 200;

/** A table of events, the newest first. */
export function eventTable(caption) {
  const { node, rows } = table(caption, ['Time', 'Event', 'Part', 'Code', 'What'], { class: 'events' });
  return {
    node,
    draw(events) {
      keep(
        rows,
        events.slice(-MOST_ROWS).reverse(),
        (event) => event.id,
        (event) => el(
          'tr',
          { 'data-type': event.type },
          el('td', { class: 'time' }, clock(event.time)),
          el('td', null, el('span', { class: 'type' }, event.type)),
          el('td', null, event.kind === undefined
            ? ''
            : el('a', { href: addressOf(event.kind, event.name) }, `${event.kind} ${event.name}`)),
          el('td', null, el('code', null, event.code ?? '')),
          el('td', null, event.text ?? ''),
        ),
      );
    },
  };
}

/** The filter stays while other views are shown. */
const filter = { code: '', kind: '', text: '' };

export function events(model) {
  let frozen;
  const all = eventTable('Events');
  const empty = el('p', { class: 'calm' });
  const pause = el('button', {
    type: 'button',
    'aria-pressed': 'false',
    onclick: () => {
      frozen = frozen === undefined ? [...model.events] : undefined;
      draw();
    },
  });
  const field = (key, node) => {
    node.addEventListener('input', () => {
      filter[key] = node.value;
      draw();
    });
    return node;
  };
  const code = field('code', el('select', { id: 'code' }));
  const kind = field('kind', el('select', { id: 'event-kind' }));
  const search = field('text', el('input', { type: 'search', id: 'event-text', placeholder: 'name or words' }));
  search.value = filter.text;
  const node = el(
    'div',
    { class: 'events-view' },
    el('h1', { tabindex: '-1' }, 'Events'),
    el(
      'form',
      { class: 'filter', role: 'search', 'aria-label': 'Events', onsubmit: (event) => event.preventDefault() },
      el('label', null, 'Find ', search),
      el('label', null, 'Kind ', kind),
      el('label', null, 'Code ', code),
      pause,
    ),
    empty,
    all.node,
  );

  function options(select, values, chosen) {
    const named = chosen === '' || values.includes(chosen) ? values : [...values, chosen];
    keep(select, ['', ...named], (value) => value, (value) => el('option', { value }, value || 'all'));
    if (select.value !== chosen) {
      select.value = chosen;
    }
  }

  function draw() {
    const from = frozen ?? model.events;
    options(code, [...new Set(from.map((event) => event.code).filter(Boolean))].sort(), filter.code);
    options(kind, inOrder(new Set(from.map((event) => event.kind).filter(Boolean))), filter.kind);
    const wanted = filter.text.trim().toLowerCase();
    const chosen = from.filter((event) => (filter.code === '' || event.code === filter.code)
      && (filter.kind === '' || event.kind === filter.kind)
      && (wanted === ''
        || [event.type, event.kind, event.name, event.code, event.text].join(' ').toLowerCase().includes(wanted)));
    all.draw(chosen);
    empty.hidden = chosen.length > 0;
    text(empty, from.length === 0 ? 'Nothing has happened yet.' : 'No event fits.');
    const newest = frozen?.at(-1)?.id ?? 0;
    const waiting = model.events.filter((event) => event.id > newest).length;
    attribute(pause, 'aria-pressed', frozen !== undefined);
    text(pause, frozen === undefined ? 'Pause' : `Go on (${number(waiting)} new)`);
  }

  draw();
  return { node, title: 'Events', draw, close() {} };
}
