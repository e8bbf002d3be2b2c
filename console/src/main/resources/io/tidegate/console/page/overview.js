/**
 * All parts at a glance: first the problems, then a card for each part. Every part always has its card, with its name
 * in it, for the keyboard and the browser's search. The rest of a card exists only while the card is in view, and only
 * such cards are updated.
 */

import { attribute, el, keep, svg, text } from './dom.js';
import { nanos, notRead, number, perSecond, percent, tags } from './format.js';
import { LATELY_MILLIS, inOrder, load, plural, problems, purpose, through } from './kinds.js';

const MOST_PROBLEMS = 6;
const SPARKS = 60;
const NAMES = new Intl.Collator('en', { numeric: true });

/** The user's filter; stays while other views are shown. */
const filter = { text: '', kind: '', tag: '' };
let scrolled = 0;

export function overview(model) {
  const visible = new Set();
  const cards = new Map();
  let version = -1;
  let sought = '';
  let all = false;

  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const card = cards.get(target);
        if (isIntersecting && card !== undefined) {
          visible.add(card);
          card.draw(model);
        } else if (card !== undefined) {
          visible.delete(card);
          card.empty();
        }
      }
    },
    { rootMargin: '150px 0px' },
  );

  const troubles = el('ul', { class: 'troubles' });
  const calm = el('p', { class: 'calm' });
  const more = el('button', {
    type: 'button',
    class: 'quiet',
    onclick: () => {
      all = !all;
      draw();
    },
  });
  const search = el('input', {
    type: 'search',
    id: 'search',
    placeholder: 'name or tag',
    oninput: () => set('text', search.value),
  });
  const kinds = el('select', { id: 'kind', onchange: () => set('kind', kinds.value) });
  const tagged = el('select', { id: 'tag', onchange: () => set('tag', tagged.value) });
  const shown = el('p', { class: 'shown', role: 'status' });
  const sections = el('div');
  const node = el(
    'div',
    { class: 'overview' },
    el('h1', { tabindex: '-1', class: 'hidden' }, 'Overview'),
    el('section', { 'aria-labelledby': 'look' }, el('h2', { id: 'look' }, 'Needs a look'), calm, troubles, more),
    el(
      'form',
      { class: 'filter', role: 'search', 'aria-label': 'Parts', onsubmit: (event) => event.preventDefault() },
      el('label', null, 'Find ', search),
      el('label', null, 'Kind ', kinds),
      el('label', null, 'Tag ', tagged),
      shown,
    ),
    sections,
  );

  function set(key, value) {
    filter[key] = value;
    draw();
  }

  function options(select, first, values, chosen) {
    keep(
      select,
      [['', first], ...values],
      ([value]) => value,
      ([value, name]) => el('option', { value }, name),
    );
    // A filter by a value that no longer exists would hide everything without an explanation.
    select.value = values.some(([value]) => value === chosen) ? chosen : '';
    return select.value;
  }

  function arrange() {
    const parts = [...model.parts.values()].sort((a, b) => NAMES.compare(a.name, b.name));
    const there = inOrder(new Set(parts.map((part) => part.kind)));
    const pairs = new Set(parts.flatMap((part) => Object.entries(part.tags).map(([key, tag]) => `${key}=${tag}`)));
    filter.kind = options(kinds, 'all', there.map((kind) => [kind, plural(kind)]), filter.kind);
    filter.tag = options(tagged, 'all', [...pairs].sort().map((pair) => [pair, pair]), filter.tag);
    tagged.parentElement.hidden = pairs.size === 0;
    const wanted = filter.text.trim().toLowerCase();
    const fits = (part) => (filter.kind === '' || part.kind === filter.kind)
      && (filter.tag === '' || Object.entries(part.tags).some(([key, tag]) => `${key}=${tag}` === filter.tag))
      && (wanted === '' || `${part.kind} ${part.name} ${tags(part.tags)}`.toLowerCase().includes(wanted));
    const chosen = parts.filter(fits);
    text(shown, chosen.length === parts.length
      ? `${number(parts.length)} parts`
      : `${number(chosen.length)} of ${number(parts.length)} parts`);
    const gone = new Map(cards);
    keep(
      sections,
      there
        .map((kind) => [kind, chosen.filter((part) => part.kind === kind)])
        .filter(([, members]) => members.length > 0),
      ([kind]) => kind,
      ([kind]) => el(
        'section',
        { 'aria-label': plural(kind), 'data-kind': kind },
        el('h2', null, plural(kind), ' ', el('span', { class: 'count' }), ' ', el('span', { class: 'purpose' }, purpose(kind))),
        el('ul', { class: 'cards' }),
      ),
      (section, [, members]) => {
        text(section.querySelector('.count'), number(members.length));
        keep(
          section.querySelector('ul'),
          members,
          (part) => part.address,
          (part) => {
            const card = new Card(part);
            cards.set(card.node, card);
            watcher.observe(card.node);
            return card.node;
          },
          (li, part) => {
            cards.get(li).part = part;
            gone.delete(li);
          },
        );
      },
    );
    gone.forEach((card, li) => {
      watcher.unobserve(li);
      visible.delete(card);
      cards.delete(li);
    });
  }

  function trouble() {
    const found = problems(model);
    const first = all ? found.slice(0, 200) : found.slice(0, MOST_PROBLEMS);
    keep(
      troubles,
      first,
      ({ part, what }) => `${what} ${part.address}`,
      ({ part }) => el(
        'li',
        null,
        el('span', { class: 'sign', 'aria-hidden': 'true' }),
        el('span', { class: 'what' }, `${part.kind} `),
        el('a', { href: part.address }, part.name),
        ' ',
        el('span', { class: 'sentence' }),
      ),
      (li, { grade, sentence }) => {
        attribute(li, 'class', grade > 1 ? 'bad' : 'warn');
        text(li.querySelector('.sign'), grade > 1 ? '■' : '▲');
        text(li.querySelector('.sentence'), sentence);
      },
    );
    calm.hidden = found.length > 0;
    text(calm, model.parts.size === 0
      ? 'No parts yet. Add some to the registry and they appear here.'
      : 'Nothing: no breaker is open, nothing is full, nothing was refused lately.');
    more.hidden = found.length <= MOST_PROBLEMS;
    text(more, all ? 'Show fewer' : `Show all ${number(found.length)}`);
  }

  function draw() {
    const now = JSON.stringify(filter);
    if (version !== model.version || sought !== now) {
      version = model.version;
      arrange();
      sought = JSON.stringify(filter);
    }
    trouble();
    visible.forEach((card) => card.draw(model));
  }

  search.value = filter.text;
  draw();
  return {
    node,
    title: 'Overview',
    draw,
    shown() {
      window.scrollTo(0, scrolled);
    },
    close() {
      scrolled = window.scrollY;
      watcher.disconnect();
    },
  };
}

/** The card of a part. */
class Card {
  #inside;

  constructor(part) {
    this.part = part;
    this.node = el('li', { class: 'card' }, el('a', { href: part.address }, part.name));
  }

  empty() {
    this.#inside?.node.remove();
    this.#inside = undefined;
  }

  draw(model) {
    const { part } = this;
    const now = part.asOf(model.time);
    this.#inside ??= this.#make();
    const inside = this.#inside;
    attribute(inside.node, 'class', part.unread === undefined ? 'inside' : 'inside old');
    text(inside.unread, notRead(part));
    attribute(inside.unread, 'title', part.unread);
    const state = part.now('state') ?? (part.now('draining') === 1 ? 'DRAINING' : '');
    text(inside.state, state);
    attribute(inside.state, 'data-state', state);
    text(inside.tags, tags(part.tags));
    const { inFlight, limit } = load(part) ?? {};
    inside.load.hidden = inFlight === undefined;
    if (inFlight !== undefined) {
      text(inside.inFlight, number(inFlight));
      text(inside.limit, limit === undefined ? '' : ` of ${number(limit)}`);
      const share = limit > 0 ? Math.min(1, inFlight / limit) : 0;
      inside.bar.hidden = limit === undefined;
      inside.fill.style.setProperty('width', `${share * 100}%`);
      attribute(inside.fill, 'class', share >= 1 ? 'fill full' : share >= 0.8 ? 'fill near' : 'fill');
    }
    keep(inside.facts, facts(part, now), ([name]) => name, () => el('div', null, el('dt'), el('dd')), (div, fact) => {
      text(div.firstChild, fact[0]);
      text(div.lastChild, fact[1]);
    });
    const codes = part.all('refused').filter((series) => series.value > 0);
    codes.sort((a, b) => b.rate(now - LATELY_MILLIS, now) - a.rate(now - LATELY_MILLIS, now) || b.value - a.value);
    keep(
      inside.codes,
      codes.slice(0, 2),
      (series) => series.key,
      (series) => el('li', null, el('code', null, series.tags.code), ' ', el('b'), ' ', el('span')),
      (li, series) => {
        const rate = series.rate(now - LATELY_MILLIS, now);
        attribute(li, 'class', rate > 0 ? 'now' : null);
        text(li.querySelector('b'), perSecond(rate));
        text(li.querySelector('span'), `${number(series.value)} in all`);
      },
    );
    text(inside.others, codes.length > 2 ? `and ${codes.length - 2} more codes` : '');
    this.#spark(model);
  }

  #make() {
    const inside = {
      unread: el('span', { class: 'unread' }),
      state: el('span', { class: 'state' }),
      tags: el('span', { class: 'tags' }),
      inFlight: el('b'),
      limit: el('span'),
      fill: el('div', { class: 'fill' }),
      facts: el('dl'),
      codes: el('ul', { class: 'codes' }),
      others: el('p', { class: 'others' }),
      through: svg('polyline', { class: 'through' }),
      refused: svg('polyline', { class: 'refused' }),
    };
    inside.bar = el('div', { class: 'bar' }, inside.fill);
    inside.load = el(
      'div',
      { class: 'load' },
      el('p', null, inside.inFlight, inside.limit, ' in flight'),
      inside.bar,
    );
    inside.node = el(
      'div',
      { class: 'inside' },
      el('p', { class: 'head' }, inside.unread, inside.state, inside.tags),
      inside.load,
      inside.facts,
      inside.codes,
      inside.others,
      svg(
        'svg',
        { class: 'spark', viewBox: `0 0 ${SPARKS} 24`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
        inside.through,
        inside.refused,
      ),
    );
    this.node.append(inside.node);
    return inside;
  }

  /** The last minutes of what went through and of what was refused, on one scale. */
  #spark(model) {
    const now = this.part.asOf(model.time);
    const step = model.past / SPARKS;
    const passed = through(this.part);
    const refused = this.part.all('refused');
    const wide = Math.max(step, 5000); // frames do not come evenly: a rate over a shorter time would jump
    const sum = (series, to) => series.reduce((rate, one) => rate + one.rate(to - wide, to), 0);
    const points = (series) => Array.from({ length: SPARKS }, (_, i) => sum(series, now - (SPARKS - 1 - i) * step));
    const lines = [points(passed), points(refused)];
    const most = Math.max(1, ...lines[0], ...lines[1]);
    const known = SPARKS - 1 - Math.floor((now - this.part.since - 1000) / step);
    const path = (line) => line
      .map((rate, i) => (i < known ? '' : `${i},${(23 - (22 * rate) / most).toFixed(1)}`))
      .join(' ');
    attribute(this.#inside.through, 'points', path(lines[0]));
    attribute(this.#inside.refused, 'points', lines[1].some((rate) => rate > 0) ? path(lines[1]) : '');
  }
}

/** The few numbers that fit on a card. */
function facts(part, now) {
  const found = [];
  const passed = through(part);
  if (passed.length > 0) {
    found.push(['through', perSecond(passed.reduce((sum, one) => sum + one.rate(now - LATELY_MILLIS, now), 0))]);
  }
  if (part.now('waiting') !== undefined) {
    found.push(['waiting', number(part.now('waiting'))]);
  }
  if (part.now('failure.rate') !== undefined) {
    found.push(['failures', percent(part.now('failure.rate'))], ['slow', percent(part.now('slow.rate'))]);
  }
  const times = part.time('run') ?? part.time('wait') ?? part.time('claims');
  if (times !== undefined && times.value[0] > 0) {
    const of = times.measure === 'run' ? '' : `${times.measure} `;
    found.push([`${of}p50`, nanos(times.value[2])], [`${of}p99`, nanos(times.value[3])]);
  }
  const rest = part.kind === 'rate' ? ['limit'] : ['backlog', 'domains', 'groups', 'failed', 'parked'];
  for (const measure of rest) {
    if (part.now(measure) !== undefined) {
      found.push([measure, number(part.now(measure))]);
    }
  }
  return found.slice(0, 5);
}
