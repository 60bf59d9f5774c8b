import { html, type Markup } from './markup.ts';

/** The words with which axe-core begins a list of ways to mend an element, which semicolons separate. */
const WAYS = /^Fix (any|all) of the following: ?/;

/** The fix as a block of its own, which one click selects. Code and markup keep their lines. */
export function printSuggestion(suggestion: string): Markup | undefined {
  const text = suggestion.trim();
  if (text === '') return undefined;
  return html`<div class="fix"><p class="label">Fix</p>${printText(text)}</div>`;
}

function printText(text: string): Markup {
  const [first, ...others] = WAYS.test(text) ? waysOf(text) : [];
  if (first?.ways.length === 1 && others.length === 0) return html`<p class="copy">${first.ways}</p>`;
  if (first) return html`<div class="copy ways">${[first, ...others].map(printWays)}</div>`;
  if (/\n|^<[a-z!/]/i.test(text)) return html`<pre class="copy"><code>${text}</code></pre>`;
  return html`<p class="copy">${text}</p>`;
}

const printWays = ({ intro, ways }: Ways): Markup =>
  html`<p>${intro}</p><ul>${ways.map((way) => html`<li>${way}</li>`)}</ul>`;

interface Ways {
  intro: string;
  ways: string[];
}

function waysOf(text: string): Ways[] {
  const lists: Ways[] = [];
  for (const part of text.replace(/\.$/, '').split('; ')) {
    const [intro, kind] = WAYS.exec(part) ?? [];
    if (intro !== undefined)
      lists.push({
        intro: kind === 'all' ? 'Fix all of these:' : 'Fix any of these:',
        ways: [part.slice(intro.length)],
      });
    else lists.at(-1)!.ways.push(part);
  }
  return lists;
}
