/** The names of the kinds and their measures, and what the measures say about a part's health. */

import { notRead, number, perSecond, seconds } from './format.js';
import { addressOf } from './model.js';

/** Without a prototype, because a kind or a measure may have the name of an object's property. */
const KINDS = {
  __proto__: null,
  guard: 'Guards',
  breaker: 'Breakers',
  bulkhead: 'Bulkheads',
  remote: 'Remote bulkheads',
  cluster: 'Cluster bulkheads',
  rate: 'Rate limiters',
  group: 'Group executors',
  lease: 'Work leases',
};

const LABELS = {
  __proto__: null,
  budget: 'retry budget',
  'in.flight': 'in flight',
  'held.oldest': 'oldest held',
  'latency.p99': 'latency p99',
  'lease.left': 'lease left',
  'failed.claims': 'failed claims in a row',
  'failure.rate': 'failure rate',
  'slow.rate': 'slow rate',
};

/** The purpose of each kind. */
const PURPOSES = {
  __proto__: null,
  guard: 'all the protection of a call, layer by layer',
  breaker: 'stop calling what fails',
  bulkhead: 'limit how many calls run at once; refuse the rest',
  remote: 'limit how many calls run at once; some wait in order',
  cluster: 'one limit on calls at once for all processes; here is the slice of this one',
  rate: 'limit how many calls begin in a period',
  group: 'run tasks of many tenants; none starves another',
  lease: 'each piece of work is done once, and in order for its domain',
};

/** The time over which rates on cards and in pictures are averaged. */
export const LATELY_MILLIS = 10_000;

/** The plural name of a kind. */
export function plural(kind) {
  return KINDS[kind] ?? kind;
}

/** The purpose of a kind, if it is known. */
export function purpose(kind) {
  return PURPOSES[kind] ?? '';
}

/** Sorts kinds for the page: those that a call meets first come first. */
export function inOrder(kinds) {
  const order = Object.keys(KINDS);
  const place = (kind) => (order.includes(kind) ? order.indexOf(kind) : order.length);
  return [...kinds].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

/** The name of a measure. */
export function label(kind, measure) {
  if (measure === 'limit') {
    return kind === 'cluster' ? 'slice' : kind === 'rate' ? 'permits a second' : 'limit';
  }
  return LABELS[measure] ?? measure.replaceAll('.', ' ');
}

/** The recent rate of a measure, per second, over all its tags. */
export function lately(part, measure, now, ago = 0) {
  let sum = 0;
  for (const series of part.series) {
    if (series.measure === measure) {
      sum += series.rate(now - ago - LATELY_MILLIS, now - ago);
    }
  }
  return sum;
}

/** How much a count rose in the last minute. */
function rise(part, measure, now) {
  const series = part.one(measure);
  return series === undefined ? 0 : Math.round(series.value - series.counted(now - 60_000));
}

/**
 * The series that best show what went through a part. A guard also counts what its layers refused as ended; that is
 * left out.
 */
export function through(part) {
  const measure = ['ended', 'admitted', 'submitted', 'calls'].find((one) => part.all(one).length > 0);
  return part.all(measure).filter((series) => series.tags.outcome !== 'refused');
}

/** The load of a part: how many are in flight, and the limit. Undefined unless the part reports what is in flight. */
export function load(part) {
  const inFlight = part.now('in.flight');
  const limit = part.kind === 'rate' ? undefined : part.now('limit');
  return inFlight === undefined ? undefined : { inFlight, limit };
}

const BAD = 2;
const WARN = 1;

/**
 * The problems that need attention, the worst first: how bad each is, the part, and a sentence. A guard is left out if
 * one of its layers has the same problem.
 */
export function problems(model) {
  const found = [];
  const named = new Set();
  const guards = [];
  for (const part of model.parts.values()) {
    if (part.kind === 'guard') {
      guards.push(part);
      continue;
    }
    const own = ofPart(part, model.time);
    if (own.length > 0) {
      found.push(...own);
      named.add(part.address);
    }
  }
  for (const guard of guards) {
    const byLayer = (guard.layers ?? []).some((layer) => named.has(addressOf(layer.kind, layer.name)));
    if (!byLayer || guard.unread !== undefined) {
      found.push(...ofPart(guard, model.time));
    }
  }
  return found.sort((a, b) => b.grade - a.grade);
}

/** The problems of one part. If the part is not read, this comes first, and all others are older. */
function ofPart(part, now) {
  const found = look(part, part.asOf(now));
  if (part.unread === undefined) {
    return found;
  }
  const before = found.length === 0 ? '' : `; before that it ${found.map(({ sentence }) => sentence).join(', ')}`;
  return [{ grade: BAD, part, what: 'unread', sentence: `is ${notRead(part)}: ${part.unread}${before}` }];
}

function look(part, now) {
  const found = [];
  const say = (grade, what, sentence) => found.push({ grade, part, what, sentence });
  const state = part.now('state');
  const refusals = lately(part, 'refused', now);
  const refusing = refusals > 0 ? `, refuses ${perSecond(refusals)}` : '';
  const { inFlight, limit } = load(part) ?? {};
  const full = limit !== undefined && inFlight >= limit && inFlight > 0;
  if (state === 'OPEN' || state === 'FORCED_OPEN') {
    say(BAD, 'state', `is ${state}${refusing}`);
  } else if (state === 'HALF_OPEN' || state === 'DISABLED') {
    say(WARN, 'state', `is ${state}${refusing}`);
  } else if (part.now('draining') === 1) {
    say(WARN, 'draining', `is draining: ${number(inFlight)} in flight, ${number(limit ?? 0)} allowed`);
  } else if (full) {
    say(refusals > 0 ? BAD : WARN, 'full', `is full: ${number(inFlight)} of ${number(limit)} in flight${refusing}`);
  } else if (refusals > 0) {
    const before = lately(part, 'refused', now, LATELY_MILLIS);
    const rising = part.since < now - 2 * LATELY_MILLIS && refusals > 1.25 * before;
    say(WARN, 'refused', `refuses ${perSecond(refusals)}${rising ? ', rising' : ''}`);
  }
  const lost = rise(part, 'lost', now);
  if (part.kind === 'lease' && lost > 0) {
    say(BAD, 'lost', `lost ${number(lost)} leases in the last minute`);
  }
  if (lately(part, 'errors', now) > 0) {
    say(BAD, 'errors', `gets no answer from its engine: ${perSecond(lately(part, 'errors', now))}`);
  }
  if (rise(part, 'held.long', now) > 0) {
    say(WARN, 'held', `is held for too long; the oldest for ${seconds(part.now('held.oldest') ?? 0)}`);
  }
  return found;
}
