// @ts-check
import MiniSearch from './minisearch.js';

/** @typedef {{ id: number, title: string, place: string, text: string, url: string }} Entry */

const MAX_RESULTS = 12;
const SNIPPET = 140;

const input = /** @type {HTMLInputElement} */ (document.getElementById('search'));
const list = /** @type {HTMLUListElement} */ (document.getElementById('results'));
const docs = input.dataset.docs ?? '';

/** @type {Promise<{ index: any, entries: Entry[] }> | undefined} */
let loading;

/** Words in camel case and paths are found by their parts, too. @param {string} text */
const words = (text) =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2 $1$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

async function load() {
  const response = await fetch(`${docs}search.json`);
  if (!response.ok) throw new Error(`The search index answered ${response.status}.`);
  /** @type {Entry[]} */
  const entries = await response.json();
  const index = new MiniSearch({
    fields: ['title', 'place', 'text'],
    tokenize: words,
    searchOptions: { boost: { title: 4, place: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  index.addAll(entries);
  return { index, entries };
}

/** The part of a text around the first word that was found. @param {string} text @param {string[]} terms */
function snippet(text, terms) {
  const lower = text.toLowerCase();
  const found = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const near = Math.max(0, (found.length > 0 ? Math.min(...found) : 0) - 40);
  const from = near === 0 ? 0 : text.indexOf(' ', near) + 1;
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + SNIPPET)}${text.length > from + SNIPPET ? ' …' : ''}`;
}

/** @param {Entry} entry @param {string[]} terms @param {number} position */
function item({ title, place, text, url }, terms, position) {
  const row = document.createElement('li');
  row.role = 'option';
  row.id = `result-${position}`;
  const link = document.createElement('a');
  link.href = `${docs}${url}`;
  link.tabIndex = -1;
  const heading = document.createElement('b');
  heading.textContent = place === title || place === 'Operation' ? title : `${place} › ${title}`;
  const about = document.createElement('span');
  about.textContent = snippet(text, terms);
  link.append(heading, about);
  row.append(link);
  return row;
}

/** @param {number} position */
function select(position) {
  for (const row of list.children) row.ariaSelected = String(row.id === `result-${position}`);
  input.setAttribute('aria-activedescendant', position < 0 ? '' : `result-${position}`);
  list.children[position]?.scrollIntoView({ block: 'nearest' });
}

const selected = () => [...list.children].findIndex((row) => row.ariaSelected === 'true');

/** @param {boolean} isOpen */
function open(isOpen) {
  list.hidden = !isOpen;
  input.ariaExpanded = String(isOpen);
}

async function search() {
  const phrase = input.value.trim();
  if (phrase === '') return open(false);
  loading ??= load();
  const { index, entries } = await loading.catch((error) => {
    loading = undefined;
    throw error;
  });
  if (input.value.trim() !== phrase) return;
  const results = index.search(phrase).slice(0, MAX_RESULTS);
  list.replaceChildren(
    ...results.map((/** @type {{ id: number, terms: string[] }} */ { id, terms }, /** @type {number} */ at) =>
      item(/** @type {Entry} */ (entries[id]), terms, at),
    ),
  );
  if (results.length === 0) {
    const none = document.createElement('li');
    none.className = 'none';
    none.textContent = 'Nothing was found.';
    list.append(none);
  }
  open(true);
  select(results.length > 0 ? 0 : -1);
}

input.addEventListener('input', () => void search());
input.addEventListener('focus', () => {
  if (input.value !== '') void search();
});
input.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && list.children.length > 0) {
    event.preventDefault();
    select((selected() + step + list.children.length) % list.children.length);
  } else if (event.key === 'Enter') list.children[selected()]?.querySelector('a')?.click();
  else if (event.key === 'Escape') open(false);
});
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Node) || !input.parentElement?.contains(target) || list.contains(target))
    open(false);
});
document.addEventListener('keydown', (event) => {
  const inField =
    event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
  if (event.key !== '/' || inField || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});
