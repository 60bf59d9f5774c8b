import { shorten } from '../../../lib/text/cut-text.ts';
import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { keyOnSite, type PageFacts } from './site-facts.ts';

/** Finds pages that have the same title or description, which search engines then show for all of them. */
export interface DuplicateFinder {
  add(url: string, facts: PageFacts): void;
  /** Findings by the URL of their page. */
  findings(): Map<string, DraftFinding[]>;
}

interface Aspect {
  noun: string;
  issueType: string;
  selector: string;
  suggestion: string;
}

const TITLE: Aspect = {
  noun: 'title',
  issueType: 'duplicate-title',
  selector: 'head > title',
  suggestion: 'Give each page a title that says what sets it apart.',
};
const DESCRIPTION: Aspect = {
  noun: 'description',
  issueType: 'duplicate-description',
  selector: 'head > meta[name="description" i]',
  suggestion: 'Give each page a description of its own, or none.',
};

const MAX_NAMED = 3;

export function createDuplicateFinder(): DuplicateFinder {
  const titles = new Map<string, string[]>();
  const descriptions = new Map<string, string[]>();
  const add = (groups: Map<string, string[]>, text: string, lang: string, url: string) => {
    if (text === '') return;
    // A name is the same in every language.
    const key = JSON.stringify([text.toLowerCase(), lang.toLowerCase()]);
    const group = groups.get(key);
    if (group) group.push(url);
    else groups.set(key, [url]);
  };
  return {
    add(url, { title, description, lang, noindex, canonical }) {
      if (noindex || isCopy(url, canonical)) return;
      add(titles, title, lang, url);
      add(descriptions, description, lang, url);
    },

    findings() {
      const found = new Map<string, DraftFinding[]>();
      for (const [aspect, groups] of [
        [TITLE, titles],
        [DESCRIPTION, descriptions],
      ] as const) {
        for (const [key, urls] of groups) {
          if (urls.length < 2) continue;
          const [text] = JSON.parse(key) as [string];
          for (const url of urls) {
            const list = found.get(url) ?? [];
            list.push(findingOf(aspect, text, key, url, urls));
            found.set(url, list);
          }
        }
      }
      return found;
    },
  };
}

/** True for a page that refers search engines to another one. */
const isCopy = (url: string, canonical: string | undefined): boolean =>
  canonical !== undefined && URL.canParse(canonical) && keyOnSite(canonical) !== keyOnSite(url);

function findingOf(
  { noun, issueType, selector, suggestion }: Aspect,
  text: string,
  key: string,
  url: string,
  urls: readonly string[],
): DraftFinding {
  const others = urls
    .slice(0, MAX_NAMED + 1)
    .filter((other) => other !== url)
    .slice(0, MAX_NAMED);
  const count = urls.length - 1;
  const named = others.length < count ? `such as ${others.join(', ')}` : others.join(', ');
  return {
    title: `Same ${noun} on ${urls.length} pages: “${shorten(text, 80)}”`,
    description: `The ${noun} of this page is also that of ${count} other ${count === 1 ? 'page' : 'pages'}: ${named}.`,
    severity: 'low',
    issueType,
    htmlSelector: selector,
    findingType: 'page',
    isPageLevel: true,
    confidence: 100,
    suggestion,
    cause: `${issueType} ${key}`,
  };
}
