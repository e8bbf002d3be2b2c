/**
 * Which tabs of a browser have a stream. A browser has six connections to an address at most, each stream holds one, and
 * requests need some. So a tab that nobody sees has none, once enough others were seen later. Tabs tell each other when
 * they are seen; each decides for itself, so that one that vanishes without a word keeps nobody waiting.
 */

/** How many tabs have a stream, unless more are in view. */
const MOST = 4;

export class Tabs {
  #id = `${Date.now()} ${Math.random()}`;
  #channel = new BroadcastChannel(`tidegate ${new URL('.', window.location.href)}`);
  /** By id, when each was seen last. */
  #others = new Map();
  /** When this one was; 0 if never. */
  #seen = document.hidden ? 0 : Date.now();
  #left = false;
  #onChange;

  /** @param onChange is told whenever another tab or this one is seen, hidden, opened or closed */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#channel.addEventListener('message', ({ data }) => this.#heard(data));
    document.addEventListener('visibilitychange', () => this.#look());
    window.addEventListener('pageshow', () => {
      this.#left = false;
      this.#tell({ asks: true });
    });
    window.addEventListener('pagehide', () => {
      this.#tell({ left: true });
      this.#left = true; // it is hidden after that, which is no news
    });
  }

  /** Whether this tab is to have a stream. */
  get hasStream() {
    if (!document.hidden) {
      return true;
    }
    const later = [...this.#others].filter(([id, seen]) => seen > this.#seen || (seen === this.#seen && id > this.#id));
    return this.#seen > 0 && later.length < MOST;
  }

  #look() {
    this.#seen = Date.now(); // when it comes into view, and when it leaves
    this.#tell({});
    this.#onChange();
  }

  #tell(more) {
    if (this.#left) {
      return;
    }
    this.#channel.postMessage({ id: this.#id, seen: this.#seen, ...more });
  }

  #heard({ id, seen, asks, left }) {
    if (left) {
      this.#others.delete(id);
    } else {
      this.#others.set(id, seen);
    }
    if (asks) {
      this.#tell({});
    }
    this.#onChange();
  }
}
