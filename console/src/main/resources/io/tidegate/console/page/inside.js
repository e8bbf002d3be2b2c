/** The inside of a part: the groups of a group executor, the domains of a work lease. */

import { get } from './control.js';
import { attribute, el, keep, table, text } from './dom.js';
import { clock, exact, nanos, number, seconds } from './format.js';
import { pathOf } from './model.js';

const GROUPS = 20;
/** The largest number that a limit can be. */
const UNLIMITED = 2147483647;
const DOMAINS = 25;
const REFRESH_MILLIS = 3000;

export function inside(model, act) {
  const node = el('div');
  let shown;
  return {
    node,
    draw(part) {
      if (part.unread !== undefined && part.series.length === 0) {
        return; // the reading will show its kind
      }
      if (shown === undefined && part.kind === 'group') {
        shown = groups(model, act, part);
      } else if (shown === undefined && part.kind === 'lease' && part.one('in.flight') === undefined) {
        // A runner has attempts in flight; its lease has the domains.
        shown = domains(model, act, part);
      } else if (shown === undefined) {
        return;
      }
      if (!shown.node.isConnected) {
        node.replaceChildren(shown.node);
      }
      shown.draw(part);
    },
  };
}

/** Asks again every few seconds while frames come, never twice at a time. */
function asking(model, ask) {
  let asked = -Infinity;
  let busy = false;
  let wanted = false;
  async function now(part) {
    if (busy) {
      wanted = true;
      return;
    }
    busy = true;
    asked = model.time;
    await ask(part);
    busy = false;
    if (wanted) {
      wanted = false;
      await now(part);
    }
  }
  return {
    now,
    sometimes(part) {
      if (model.time - asked >= REFRESH_MILLIS) {
        now(part);
      }
    },
  };
}

/** How much of a limit is used; nothing if the limit is too large to be one. */
function level(cell, taken, limit) {
  text(cell, limit >= UNLIMITED ? number(taken) : `${number(taken)} of ${number(limit)}`);
  attribute(cell, 'class', taken > 0 && taken >= limit ? 'number full' : 'number');
}

function groups(model, act, { actions }) {
  const control = model.control && actions.includes('evict');
  const columns = ['Group', 'Running', 'In flight', 'Waiting', 'Longest wait', ...(control ? ['Control'] : [])];
  const { node, rows } = table('Groups', columns, { class: 'groups' });
  const problem = el('p', { class: 'calm', role: 'status' });
  const order = el(
    'select',
    { id: 'order', onchange: () => asks.now(shown) },
    el('option', { value: 'load' }, 'the most loaded'),
    el('option', { value: 'wait' }, 'the longest wait'),
  );
  const section = el(
    'section',
    null,
    el('h2', null, 'Groups'),
    el('p', { class: 'filter' }, el('label', null, 'First ', order), problem),
    node,
  );
  let shown;
  const asks = asking(model, async (part) => {
    try {
      const answer = await get(pathOf(part, 'groups', undefined, { limit: GROUPS, by: order.value }));
      const all = answer.groups.length === answer.total ? '' : `${answer.groups.length} of `;
      text(problem, answer.total === 0 ? 'No group has anything to do.' : `${all}${number(answer.total)} groups`);
      keep(
        rows,
        answer.groups,
        (group) => group.group,
        (group) => el(
          'tr',
          { 'data-group': group.group },
          el('th', { scope: 'row' }, group.group),
          Array.from({ length: 4 }, () => el('td', { class: 'number' })),
          control ? el('td', null, evict(group.group)) : undefined,
        ),
        (row, group) => {
          const [, running, inFlight, waiting, longest] = row.children;
          level(running, group.running, group.maxConcurrency);
          level(inFlight, group.inFlight, group.maxInFlight);
          level(waiting, group.waiting, group.queueThreshold);
          text(longest, group.waiting === 0 ? '–' : nanos(group.oldestWaitingMillis * 1e6));
        },
      );
    } catch (error) {
      text(problem, error.message);
    }
  });

  function evict(group) {
    const sure = ['Evict the group?', `${group} is forgotten as soon as it has nothing to do.`, 'Evict'];
    return button('Evict', group, () => act('evict', { group }, sure));
  }

  return {
    node: section,
    draw(part) {
      shown = part;
      asks.sometimes(part);
    },
  };
}

/** A button of a row. Its label names the row for screen readers. */
function button(verb, what, onclick) {
  return el('button', { type: 'button', class: 'small', onclick }, verb, el('span', { class: 'hidden' }, ` ${what}`));
}

/** The last text, by code points, before all texts with this beginning. */
function justBefore(start) {
  const points = [...start];
  const last = points.pop()?.codePointAt(0) ?? 0;
  if (last === 0) {
    return points.join('');
  }
  return `${points.join('')}${String.fromCodePoint(last === 0xe000 ? 0xd7ff : last - 1)}\u{10ffff}`;
}

/** The domains of a lease, page by page; one of them with its backlog and its failed work. */
function domains(model, act, first) {
  const control = model.control && first.actions.includes('release');
  let part = first;
  let opened;
  /** For each page up to the present one, the domain behind which it begins. */
  let pages = [''];
  const search = el('input', { type: 'search', id: 'domain', placeholder: 'first letters' });
  const back = el('button', { type: 'button', onclick: () => go(pages.slice(0, -1)) }, 'Back');
  const on = el('button', { type: 'button', onclick: () => go([...pages, end]) }, 'Next');
  let end;
  const problem = el('p', { class: 'calm', role: 'status' });
  const { node, rows } = table(
    'Domains',
    ['Domain', 'Holder', 'Offset', 'Fence', 'Age', 'Retries', 'Backlog', 'Failed', ...(control ? ['Control'] : [])],
    { class: 'domains' },
  );
  const one = el('div', { class: 'domain' });
  const waits = el('p');
  const failures = el('ul');
  let drawn;
  const section = el(
    'section',
    null,
    el('h2', null, 'Domains'),
    el(
      'form',
      {
        class: 'filter',
        role: 'search',
        'aria-label': 'Domains',
        onsubmit: (event) => event.preventDefault(),
        oninput: () => go([justBefore(search.value.trim())]),
      },
      el('label', null, 'Begins with ', search),
      back,
      on,
    ),
    problem,
    node,
    one,
  );

  function go(to) {
    pages = to;
    asks.now(part);
  }

  const asks = asking(model, async () => {
    try {
      const answer = await get(pathOf(part, 'domains', undefined, { limit: DOMAINS, after: pages.at(-1) }));
      const fits = answer.domains.filter((domain) => domain.domain.startsWith(search.value.trim()));
      end = fits.at(-1)?.domain;
      back.disabled = pages.length === 1;
      on.disabled = fits.length < DOMAINS;
      text(problem, fits.length > 0 ? '' : 'No domain fits.');
      keep(rows, fits, (domain) => domain.domain, row, update);
      if (opened !== undefined) {
        show(await get(pathOf(part, 'domains', opened)));
      }
    } catch (error) {
      text(problem, error.message);
    }
  });

  function row({ domain }) {
    return el(
      'tr',
      { 'data-domain': domain },
      el('th', { scope: 'row' }, el('button', {
        type: 'button',
        class: 'quiet small',
        onclick: () => {
          opened = domain;
          asks.now(part);
        },
      }, domain)),
      el('td'),
      Array.from({ length: 6 }, () => el('td', { class: 'number' })),
      control ? el('td') : undefined,
    );
  }

  function update(tr, domain) {
    const [, holder, offset, fence, age, retries, backlog, failed, last] = tr.children;
    const leased = domain.offset !== undefined;
    text(holder, leased ? domain.holder ?? 'held' : '–');
    text(offset, exact(domain.offset));
    text(fence, exact(domain.fence));
    text(age, leased ? seconds(Math.round(domain.ageMillis / 1000)) : '–');
    text(retries, leased ? number(domain.retries) : '–');
    text(backlog, number(domain.backlog));
    text(failed, number(domain.failed));
    if (!control) {
      return;
    }
    keep(last, leased ? ['release'] : [], (action) => action, () => button('Release', domain.domain, () => act(
      'release',
      { domain: domain.domain },
      ['Release the lease?', `Whoever works on ${domain.domain} loses it, and the work may be done twice.`, 'Release'],
    )));
  }

  function show(domain) {
    const replay = (offset) => (model.control && part.actions.includes('replay')
      ? button('Replay', `offset ${offset}`, () => act('replay', { domain: domain.domain, offset }))
      : '');
    const hidden = domain.backlogSize - domain.backlog.length;
    const more = hidden > 0 ? ` and ${number(hidden)} more` : '';
    const head = domain.backlog.map(exact).join(', ');
    if (opened !== drawn) {
      drawn = opened;
      one.replaceChildren(el('h3', null, `Domain ${opened}`), waits, failures);
    }
    text(waits, head === '' ? 'Nothing waits.' : `Waiting: ${head}${more}.`);
    keep(
      failures,
      domain.failedWork,
      (work) => `${domain.domain} ${work.offset}`,
      (work) => el(
        'li',
        { 'data-offset': work.offset },
        `Offset ${exact(work.offset)} failed at ${clock(work.failedAt)} after ${number(work.retries)} retries: `,
        el('q', null, work.reason || 'no reason given'),
        ' ',
        replay(work.offset),
      ),
    );
  }

  return {
    node: section,
    draw(now) {
      part = now;
      asks.sometimes(part);
    },
  };
}
