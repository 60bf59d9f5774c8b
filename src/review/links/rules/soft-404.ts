import { randomBytes } from 'node:crypto';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { shorten } from '../../../lib/text/cut-text.ts';
import type { SafeFetch } from '../../../outside/net/outbound-fetch.ts';
import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { linkIssue } from '../link-rules.ts';
import { withoutFragment } from '../page/address.ts';
import { decodeText } from '../page/charset.ts';
import type { WorkingLink } from '../review-links.ts';

/** Recognizes the pages that a site sends, with a status of success, for addresses that do not exist. */
export interface Soft404 {
  /** Findings for the links of a page that lead to such pages on its own host. */
  findings(links: readonly WorkingLink[], pageUrl: string, signal: AbortSignal): Promise<DraftFinding[]>;
}

/** The answer to an address that cannot exist. */
interface Absence {
  /** Words of the page, by their number. */
  words: Map<string, number>;
  /** Where the request was redirected. */
  target?: string;
}

const MAX_BYTES = 2_000_000;
/** Other names of a start page, which may redirect to it. */
const START = /^\/((index|home|default|start|main|welcome)(\.\w+)?\/?)?$/i;
/** Share of common words above which two pages count as equal. */
const ALIKE = 0.9;
/** The shell of an application has few words before its scripts run. */
const MIN_SCRIPTED_WORDS = 20;

export function createSoft404(fetch: SafeFetch): Soft404 {
  const absences = new Map<string, Promise<Absence | undefined>>();
  const verdicts = new Map<string, Promise<boolean | undefined>>();

  const absenceOf = (origin: string, signal: AbortSignal) =>
    remember(absences, origin, () => probe(fetch, origin, signal));
  const isAbsent = (url: string, absence: Absence, signal: AbortSignal) =>
    remember(verdicts, url, () => resembles(fetch, url, absence, signal));

  return {
    async findings(links, pageUrl, signal) {
      const { origin } = new URL(pageUrl);
      const candidates = links.filter(({ link, chain }) => {
        const isPage = chain.final.status === 200 && chain.final.isHtml;
        return isPage && (link.kind === 'anchor' || link.kind === 'area') && isOf(origin, link.url);
      });
      if (candidates.length === 0) return [];
      const absence = await absenceOf(origin, signal);
      // A site whose real pages look like absent ones is drawn by scripts, or is a single page.
      if (!absence || (await isAbsent(withoutFragment(pageUrl), absence, signal))) return [];
      const found: DraftFinding[] = [];
      for (const one of candidates) {
        const isGone = await isAbsent(withoutFragment(one.link.url), absence, signal);
        if (isGone) found.push(findingOf(one));
      }
      signal.throwIfAborted();
      return found;
    },
  };
}

/** The result for a key, made once; a failure counts as undefined once, and is forgotten. */
function remember<T>(
  memo: Map<string, Promise<T | undefined>>,
  key: string,
  make: () => Promise<T | undefined>,
) {
  const result =
    memo.get(key) ??
    make().catch(() => {
      memo.delete(key);
      return undefined;
    });
  memo.set(key, result);
  return result;
}

const isOf = (origin: string, url: string): boolean => new URL(url).origin === origin;

/** Undefined if the site answers absent addresses with an error, or with the shell of an application. */
async function probe(fetch: SafeFetch, origin: string, signal: AbortSignal): Promise<Absence | undefined> {
  const read = () => readPage(fetch, `${origin}/${randomBytes(12).toString('hex')}`, signal);
  const first = await read();
  if (!first) return undefined;
  const second = await read();
  if (!second || likeness(first.words, second.words) < ALIKE) return undefined;
  const isTarget = first.target !== undefined && first.target === second.target;
  return { words: first.words, ...(isTarget && { target: first.target! }) };
}

async function resembles(
  fetch: SafeFetch,
  url: string,
  { words, target }: Absence,
  signal: AbortSignal,
): Promise<boolean> {
  const page = await readPage(fetch, url, signal);
  if (!page) return false;
  // Where absent addresses are redirected, only others that are redirected too are like them.
  if (target !== undefined) return page.target === target && !START.test(new URL(url).pathname);
  return likeness(words, page.words) >= ALIKE;
}

/** The words of a page, and where its address was redirected; undefined for an error and for an application. */
async function readPage(fetch: SafeFetch, url: string, signal: AbortSignal): Promise<Absence | undefined> {
  const answer = await fetch(url, { signal, maxBytes: MAX_BYTES });
  const type = answer.headers['content-type'] ?? '';
  if (answer.status !== 200 || !/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type)) return undefined;
  const html = decodeText(answer.body, type);
  const { words, count, isScripted } = wordsOf(html, new URL(url));
  if (count === 0 || (isScripted && count < MIN_SCRIPTED_WORDS)) return undefined;
  const target = withoutFragment(answer.url);
  return { words, ...(target !== withoutFragment(url) && { target }) };
}

type Node = DefaultTreeAdapterTypes.Node;

const UNSEEN = new Set(['script', 'style', 'template', 'noscript']);

/** Words that a page shows, its title included, without those that repeat its own address. */
function wordsOf(html: string, { pathname }: URL) {
  const words = new Map<string, number>();
  const own = new Set(wordsIn(pathname));
  let count = 0;
  let isScripted = false;
  const nodes: Node[] = [parse(html)];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if ('tagName' in node && UNSEEN.has(node.tagName)) {
      isScripted ||= node.tagName === 'script';
      continue;
    }
    if (node.nodeName === '#text' && 'value' in node) {
      for (const word of wordsIn(node.value)) {
        if (own.has(word)) continue;
        words.set(word, (words.get(word) ?? 0) + 1);
        count++;
      }
    }
    if ('childNodes' in node) nodes.push(...node.childNodes);
  }
  return { words, count, isScripted };
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Dice's coefficient of two texts as bags of words: 1 for equal ones, 0 for those without a common word. */
function likeness(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let common = 0;
  let all = 0;
  for (const [word, count] of one) {
    common += Math.min(count, other.get(word) ?? 0);
    all += count;
  }
  for (const count of other.values()) all += count;
  return all === 0 ? 0 : (2 * common) / all;
}

function findingOf({ link, count }: WorkingLink): DraftFinding {
  const often = count > 1 ? ` The page names it ${count} times.` : '';
  return {
    title: `Probably missing page (HTTP 200)${link.text ? `: link “${shorten(link.text, 80)}”` : ''}`,
    description: `The address ${link.url} answers with success, but with the page that the site shows for addresses that do not exist.${often}`,
    ...linkIssue('soft-404'),
    url: link.url,
    statusCode: 200,
    targetText: link.text,
    occurrence: link.occurrence,
    htmlSelector: link.selector,
    htmlSnippet: link.snippet,
    findingType: link.text ? 'text' : 'page',
    confidence: 80,
    suggestion: 'Correct the address or remove it, and let the site answer with HTTP 404 for absent pages.',
  };
}
