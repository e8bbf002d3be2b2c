/**
 * The data of the console: its parts, their measures now and in the last minutes, and its events. The past of a measure
 * is the list of its changes, so that a measure that does not change costs nothing, however many parts there are;
 * charts ask for the value at a time.
 */

/** How much of the past is kept. */
export const PAST_MILLIS = 5 * 60 * 1000;

/** Frames come once a second; over a shorter time there is no rate. */
const SHORTEST_MILLIS = 400;
const SHORTEST_PAST_MILLIS = 60_000;

/** A pause between two streams that is longer than this is a gap, of which nothing is known. */
const GAP_MILLIS = 5_000;

const MOST_EVENTS = 500;
const SILENT_MILLIS = 20_000;
/**
 * Without a frame for this long, values count as old. With very many parts, frames come less often than once a second.
 */
const OLD_MILLIS = 15_000;
const FIRST_PAUSE_MILLIS = 500;
const LONGEST_PAUSE_MILLIS = 10_000;

/** One measure of a part, with one set of tags. */
class Series {
  #gaps;

  constructor(key, sent, time, gaps) {
    this.#gaps = gaps;
    this.key = key;
    this.measure = sent.measure;
    this.type = sent.type;
    this.tags = sent.tags ?? {};
    this.value = sent.value;
    this.times = [time];
    this.values = [sent.value];
  }

  put(value, time) {
    const restarted = this.type === 'count' ? value < this.value : this.type === 'time' && value[0] < this.value[0];
    if (restarted) {
      this.times = [];
      this.values = [];
    }
    this.value = value;
    this.times.push(time);
    this.values.push(value);
    // The last change before the kept past stays: its value still holds at the beginning.
    if (this.times.length > 64 && this.times[32] < time - PAST_MILLIS) {
      this.times.splice(0, 32);
      this.values.splice(0, 32);
    }
  }

  /** The value at a time; the first one known for earlier times. */
  at(time) {
    let low = 0;
    let high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return this.values[low];
  }

  /** The count at a time. What was counted in a gap counts as spread over it. */
  counted(time) {
    const until = (then) => (this.type === 'time' ? this.at(then)[0] : this.at(then));
    const gap = this.#gaps.find(({ from, to }) => from < time && time < to);
    if (gap === undefined) {
      return until(time);
    }
    const before = until(gap.from);
    return before + ((until(gap.to) - before) * (time - gap.from)) / (gap.to - gap.from);
  }

  /** The rate of a count between two times, per second; 0 if too little of that time is known. */
  rate(from, to) {
    const begin = Math.max(from, this.times[0]);
    if (this.times[this.times.length - 1] <= from || to - begin < SHORTEST_MILLIS) {
      return 0;
    }
    return ((this.counted(to) - this.counted(begin)) * 1000) / (to - begin);
  }
}

/** The key by which a series is recognised. A part may report a measure twice; each one is then known by its place. */
function keyOf(sent, taken) {
  const tags = Object.entries(sent.tags ?? {});
  const plain = tags.length ? `${sent.measure}{${tags.map(([key, tag]) => `${key}=${tag}`).join(',')}}` : sent.measure;
  let key = plain;
  for (let place = 2; taken.has(key); place++) {
    key = `${plain} #${place}`;
  }
  return key;
}

/** A part as it was last sent. */
export class Part {
  /**
   * @param before the part as it was sent before, if it was
   * @param last the time of the previous frame
   * @param gaps the times without a stream
   */
  constructor(sent, before, time, last, gaps) {
    this.id = sent.id;
    this.kind = sent.kind;
    this.name = sent.name;
    this.tags = sent.tags ?? {};
    this.actions = sent.actions ?? [];
    this.layers = sent.layers;
    this.since = before?.since ?? time;
    /** Why the part could not be read; its values are then older. */
    this.unread = sent.unread;
    /** When the part was last read, if it is not read now and the time is known. */
    this.lastRead = undefined;
    if (this.unread !== undefined && before !== undefined) {
      this.lastRead = before.unread === undefined ? last : before.lastRead;
    }
    this.byKey = new Map();
    for (const measure of sent.measures ?? []) {
      const key = keyOf(measure, this.byKey);
      const known = before?.byKey.get(key);
      if (known === undefined || known.type !== measure.type) {
        this.byKey.set(key, new Series(key, measure, time, gaps));
        continue;
      }
      if (String(known.value) !== String(measure.value)) {
        known.put(measure.value, time);
      }
      this.byKey.set(key, known);
    }
    /** In the order in which the part reports them: a value is sent with its place in this order. */
    this.series = [...this.byKey.values()];
  }

  get address() {
    return addressOf(this.kind, this.name);
  }

  /** The time of the part's values. */
  asOf(now) {
    return this.unread === undefined ? now : this.lastRead ?? now;
  }

  /** The series of a measure without tags, if the part reports it. */
  one(measure) {
    return this.byKey.get(measure);
  }

  /** The same for a measure of time. */
  time(measure) {
    const series = this.byKey.get(measure);
    return series?.type === 'time' ? series : undefined;
  }

  /** The value of a gauge, count or state without tags; undefined if the part does not report it. */
  now(measure) {
    return this.byKey.get(measure)?.value;
  }

  /** All series of a measure, with any tags. */
  all(measure) {
    return this.series.filter((series) => series.measure === measure);
  }
}

/** Where the page shows a part. */
export function addressOf(kind, name) {
  return `#/part/${encodeURIComponent(kind)}/${encodeURIComponent(name)}`;
}

/** Names that browsers remove from a path, or proxies change in it, however they are encoded. */
const FRAGILE = /^\.{0,2}$|[/\\%;]/;

/**
 * The path of a request about a part in the console's interface: an action, or details. Names that a path cannot carry
 * go into the query.
 */
export function pathOf(part, what, domain, query = {}) {
  const behind = new URLSearchParams(query);
  const place = (key, name) => {
    if (!FRAGILE.test(name)) {
      return encodeURIComponent(name);
    }
    behind.set(key, name);
    return '-';
  };
  const path = ['api/parts', encodeURIComponent(part.kind), place('name', part.name), what];
  if (domain !== undefined) {
    path.push(place('domain', domain));
  }
  return behind.size === 0 ? path.join('/') : `${path.join('/')}?${behind}`;
}

export class Model {
  /** Milliseconds of the console's clock. */
  time = 0;
  control = false;
  panel = undefined;
  parts = new Map();
  events = [];
  /** Rises whenever a part comes, goes, or changes its measures. */
  version = 0;
  /** 'connecting', 'live' or 'lost'. */
  link = 'connecting';
  /** Whether no frame has come for so long that values count as old, even with an open connection. */
  old = false;

  /** When this page got its first frame. */
  #since = 0;
  /** The times without a stream, in the past that is kept. */
  #gaps = [];
  #listeners = new Set();
  #lastEvent = 0;

  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify() {
    this.#listeners.forEach((listener) => listener(this));
  }

  find(kind, name) {
    for (const part of this.parts.values()) {
      if (part.kind === kind && part.name === name) {
        return part;
      }
    }
    return undefined;
  }

  /** How much of the past can be shown, in milliseconds: it grows up to the past that is kept. */
  get past() {
    return Math.min(PAST_MILLIS, Math.max(SHORTEST_PAST_MILLIS, this.time - this.#since));
  }

  /** The times without a stream, in the past that can be shown. */
  get gaps() {
    return this.#gaps.filter(({ to }) => to > this.time - this.past);
  }

  /** Whether there was no stream at that time. */
  isGap(time) {
    return this.#gaps.some(({ from, to }) => from < time && time < to);
  }

  /** Replaces everything; the past of parts that still exist stays. */
  whole(sent) {
    const before = new Map([...this.parts.values()].map((part) => [part.address, part]));
    const last = this.time;
    this.time = sent.time;
    this.#since ||= sent.time;
    if (last > 0 && sent.time - last > GAP_MILLIS) {
      this.#gaps.push({ from: last, to: sent.time });
      this.#gaps.splice(0, this.#gaps.findIndex(({ to }) => to > sent.time - PAST_MILLIS));
    }
    this.control = sent.control === true;
    this.panel = sent.panel;
    this.parts = new Map();
    for (const part of sent.parts ?? []) {
      this.parts.set(part.id, new Part(part, before.get(addressOf(part.kind, part.name)), sent.time, last, this.#gaps));
    }
    this.events = [];
    this.#add(sent.events);
    this.#dateUnread(sent.parts);
    this.version++;
  }

  /** Applies a change. */
  change(sent) {
    const last = this.time;
    this.time = sent.time;
    for (const id of sent.gone ?? []) {
      this.parts.delete(id);
      this.version++;
    }
    for (const part of sent.parts ?? []) {
      this.parts.set(part.id, new Part(part, this.parts.get(part.id), sent.time, last, this.#gaps));
      this.version++;
    }
    for (const [id, pairs] of Object.entries(sent.values ?? {})) {
      const part = this.parts.get(Number(id));
      for (let i = 0; part !== undefined && i < pairs.length; i += 2) {
        part.series[pairs[i]]?.put(pairs[i + 1], sent.time);
      }
    }
    this.#add(sent.events);
    this.#dateUnread(sent.parts);
    this.panel = sent.panel ?? this.panel;
  }

  /** A page that opened later learns from the events since when a part is not read. */
  #dateUnread(sent) {
    for (const { id, unread } of sent ?? []) {
      const part = this.parts.get(id);
      if (unread !== undefined && part.lastRead === undefined) {
        part.lastRead = this.events.findLast(
          (event) => event.type === 'unread' && event.kind === part.kind && event.name === part.name,
        )?.time;
      }
    }
  }

  #add(events) {
    for (const event of events ?? []) {
      this.events.push({ ...event, id: ++this.#lastEvent });
    }
    if (this.events.length > MOST_EVENTS) {
      this.events.splice(0, this.events.length - MOST_EVENTS);
    }
  }
}

/** Keeps a model up to date, and reconnects when the console was lost. */
export class Connection {
  #model;
  #source;
  #pause = FIRST_PAUSE_MILLIS;
  #timer;
  #age;
  #resting = true;

  constructor(model) {
    this.#model = model;
  }

  /** Opens the connection if it is closed. */
  keep() {
    if (this.#resting) {
      this.#resting = false;
      this.#model.link = 'connecting';
      if (this.#model.time > 0) {
        this.#young(); // the values become old if no frame follows
      }
      this.open();
      this.#model.notify();
    }
  }

  /** Closes the connection until it is needed again. */
  rest() {
    this.#resting = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#age);
    this.#source?.close();
  }

  open() {
    clearTimeout(this.#timer);
    this.#source?.close();
    const source = new EventSource('api/stream');
    this.#source = source;
    const take = (event, how) => {
      how.call(this.#model, JSON.parse(event.data));
      this.#pause = FIRST_PAUSE_MILLIS;
      this.#model.link = 'live';
      this.#watch();
      this.#young();
      this.#model.notify();
    };
    source.addEventListener('parts', (event) => take(event, this.#model.whole));
    source.addEventListener('change', (event) => take(event, this.#model.change));
    source.addEventListener('alive', () => this.#alive());
    source.addEventListener('error', () => this.#lost());
    this.#watch();
  }

  /** The console is alive but sends no frame: values do not become newer by that. */
  #alive() {
    this.#watch();
    if (this.#model.link === 'lost') {
      this.#model.link = 'connecting';
      this.#model.notify();
    }
  }

  /** The values are new, and become old if no frame follows. */
  #young() {
    clearTimeout(this.#age);
    this.#model.old = false;
    this.#age = setTimeout(() => {
      this.#model.old = true;
      this.#model.notify();
    }, OLD_MILLIS);
  }

  /** A connection without any sign of life counts as lost. */
  #watch() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lost(), SILENT_MILLIS);
  }

  #lost() {
    this.#source?.close();
    clearTimeout(this.#timer);
    // Viewers of a restarted console must not all come back at the same moment.
    const pause = this.#pause * (0.75 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MILLIS);
    this.#model.link = 'lost';
    this.#timer = setTimeout(() => this.open(), pause);
    this.#model.notify();
  }
}
