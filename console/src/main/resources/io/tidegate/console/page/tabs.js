/**
 * Decides which tabs of a browser have a stream. A browser has at most six connections to an address, each stream needs
 * one, and requests need some. So a hidden tab has no stream once enough others were viewed later. Tabs send each other
 * a message when they are viewed. Each decides for itself, so a tab that vanishes without a message blocks no other.
 */

/** How many tabs have a stream, unless more are in view. */
const MOST = 4;

export class Tabs {
  #id = `${Date.now()} ${Math.random()}`;
  #channel = new BroadcastChannel(`tidegate ${new URL('.', window.location.href)}`);
  /** When each of the other tabs was last viewed, by id. */
  #others = new Map();
  /** When this tab was last viewed; 0 if never. */
  #seen = document.hidden ? 0 : Date.now();
  #left = false;
  #onChange;

  /** @param onChange called whenever this tab or another one is viewed, hidden, opened or closed */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#channel.addEventListener('message', ({ data }) => this.#heard(data));
    document.addEventListener('visibilitychange', () => this.#look());
    window.addEventListener('pageshow', () => {
      this.#left = false;
      this.#send({ asks: true });
    });
    window.addEventListener('pagehide', () => {
      this.#send({ left: true });
      this.#left = true; // the tab becomes hidden after that, which is no change
    });
  }

  /** Whether this tab should have a stream. */
  get hasStream() {
    if (!document.hidden) {
      return true;
    }
    const later = [...this.#others].filter(([id, seen]) => seen > this.#seen || (seen === this.#seen && id > this.#id));
    return this.#seen > 0 && later.length < MOST;
  }

  #look() {
    this.#seen = Date.now(); // when the tab comes into view, and when it leaves
    this.#send({});
    this.#onChange();
  }

  #send(more) {
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
      this.#send({});
    }
    this.#onChange();
  }
}
