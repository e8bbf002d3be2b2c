/** Makes and updates elements. Text is always a text node: nothing that comes from outside is read as markup. */

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith('on')) {
      node.addEventListener(key.slice(2), value);
    } else if (value === true) {
      node.setAttribute(key, '');
    } else if (value !== false && value !== undefined && value !== null) {
      node.setAttribute(key, value);
    }
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return node;
}

/** An element; children are nodes or texts. */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of a picture. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** Sets a text; leaves the page alone if it is the same. */
export function text(node, value) {
  const wanted = String(value ?? '');
  if (node.textContent !== wanted) {
    node.textContent = wanted;
  }
}

/** Sets or removes an attribute; leaves the page alone if it is the same. */
export function attribute(node, name, value) {
  if (value === undefined || value === null || value === false) {
    if (node.hasAttribute(name)) {
      node.removeAttribute(name);
    }
  } else if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value);
  }
}

const KEPT = Symbol('kept');

/**
 * Gives a node one child for each item of a list, in its order. A child whose key is still there stays the same node,
 * with its focus.
 *
 * @param make makes the node of an item
 * @param update shows an item on its node, new or not
 */
export function keep(parent, items, key, make, update = () => {}) {
  const before = parent[KEPT] ?? new Map();
  const after = new Map();
  let next = parent.firstChild;
  for (const item of items) {
    const id = key(item);
    if (after.has(id)) {
      continue;
    }
    const node = before.get(id) ?? make(item);
    after.set(id, node);
    before.delete(id);
    if (node === next) {
      next = next.nextSibling;
    } else {
      parent.insertBefore(node, next);
    }
    update(node, item);
  }
  before.forEach((node) => node.remove());
  parent[KEPT] = after;
  return after;
}

/** A table with a head; rows go into its body, `rows`. */
export function table(caption, columns, attributes) {
  const rows = el('tbody');
  const node = el(
    'table',
    attributes,
    el('caption', { class: 'hidden' }, caption),
    el('thead', null, el('tr', null, columns.map((column) => el('th', { scope: 'col' }, column)))),
    rows,
  );
  return { node: el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, node), rows };
}
