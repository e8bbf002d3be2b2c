/** Asks the console to change something: handles the token, the confirmation and the answer. */

import { el } from './dom.js';

const KEY = 'tidegate.token';

/** A dialog that the user has closed. */
export class GivenUp extends Error {}

/** Decodes a part of an address; a text that was not encoded stays as it is. */
export function decoded(encoded) {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/**
 * Takes the token out of the page's address, so that a copied address does not contain it. The name of a view may
 * follow it.
 */
export function takeToken() {
  const found = /^#token=([^&]+)(?:&(\/[a-z]*))?/.exec(location.hash);
  if (found !== null) {
    sessionStorage.setItem(KEY, decoded(found[1]));
    history.replaceState(null, '', `${location.pathname}${location.search}#${found[2] ?? '/'}`);
  }
}

/** Sends a request that needs the token. Returns the answer; throws an error with a message for the user. */
export async function post(path, body) {
  let problem = '';
  for (;;) {
    const token = sessionStorage.getItem(KEY) ?? (await askToken(problem));
    const answer = await send(path, body, token);
    if (answer.status !== 401) {
      if (answer.ok) {
        sessionStorage.setItem(KEY, token);
      }
      return read(answer);
    }
    sessionStorage.removeItem(KEY);
    problem = 'The console does not accept this token. Nothing was changed.';
  }
}

async function send(path, body, token) {
  // A character that no header can hold cannot be part of the token; a question mark in its place is refused like any
  // wrong token.
  const bearer = token.replace(/[^\x21-\x7e]/g, '?');
  try {
    return await fetch(path, {
      method: 'POST',
      cache: 'no-store',
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
  } catch {
    throw new Error('The console does not answer.');
  }
}

/** Asks the console for details of a part. */
export async function get(path) {
  let answer;
  try {
    answer = await fetch(path, { cache: 'no-store' });
  } catch {
    throw new Error('The console does not answer.');
  }
  return read(answer);
}

async function read(answer) {
  const received = await answer.text();
  let parsed;
  try {
    parsed = received === '' ? {} : JSON.parse(received);
  } catch {
    parsed = { error: received };
  }
  if (!answer.ok) {
    throw new Error(parsed.error ?? `The console answers ${answer.status}.`);
  }
  return parsed;
}

/** Shows a dialog until a button or Escape closes it. Resolves with the value of that button, or undefined. */
function ask(title, content, buttons) {
  const dialog = document.getElementById('dialog');
  return new Promise((resolve) => {
    let chosen;
    const form = el(
      'form',
      {
        onsubmit: (event) => {
          event.preventDefault();
          chosen = event.submitter?.value;
          dialog.close();
        },
      },
      el('h2', { id: 'dialog-title' }, title),
      content,
      el('p', { class: 'buttons' }, buttons),
    );
    dialog.replaceChildren(form);
    dialog.addEventListener('close', () => {
      dialog.replaceChildren();
      resolve(chosen);
    }, { once: true });
    dialog.showModal();
  });
}

async function askToken(problem) {
  const input = el('input', {
    type: 'password',
    id: 'token',
    autocomplete: 'off',
    required: true,
    autofocus: true,
    'aria-describedby': 'token-problem',
  });
  const chosen = await ask(
    'Control needs the token',
    [
      el('p', null, 'The program that started this console has it. This tab keeps it until it is closed.'),
      el('label', { for: 'token' }, 'Token'),
      input,
      el('p', { id: 'token-problem', class: 'problem', role: 'alert' }, problem),
    ],
    [
      el('button', { value: 'ok', class: 'main' }, 'Use it'),
      el('button', { value: '', formnovalidate: true }, 'Cancel'),
    ],
  );
  if (!chosen || input.value === '') {
    throw new GivenUp();
  }
  return input.value;
}

/** Asks for confirmation; throws if the user does not confirm. */
export async function sure(title, consequence, yes) {
  const chosen = await ask(title, [el('p', null, consequence)], [
    el('button', { value: '', autofocus: true }, 'Cancel'),
    el('button', { value: 'yes', class: 'danger' }, yes),
  ]);
  if (chosen !== 'yes') {
    throw new GivenUp();
  }
}
