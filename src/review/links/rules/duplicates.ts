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

interface Group {
  text: string;
  urls: string[];
}

export function createDuplicateFinder(): DuplicateFinder {
  const titles = new Map<string, Group>();
  const descriptions = new Map<string, Group>();
  const seen = new Set<string>();
  const add = (groups: Map<string, Group>, text: string, lang: string, url: string) => {
    if (text === '') return;
    // A name is the same in every language.
    const key = JSON.stringify([text.toLowerCase(), lang.toLowerCase()]);
    const group = groups.get(key);
    if (group) group.urls.push(url);
    else groups.set(key, { text, urls: [url] });
  };
  return {
    add(url, { title, description, lang, noindex, canonical }) {
      const own = withoutIndex(url);
      if (noindex || seen.has(own) || (canonical !== undefined && isOther(canonical, own))) return;
      seen.add(own);
      add(titles, title, lang, url);
      add(descriptions, description, lang, url);
    },

    findings() {
      const found = new Map<string, DraftFinding[]>();
      for (const [aspect, groups] of [
        [TITLE, titles],
        [DESCRIPTION, descriptions],
      ] as const) {
        for (const [key, group] of groups) {
          if (group.urls.length < 2) continue;
          for (const url of group.urls) {
            const list = found.get(url) ?? [];
            list.push(findingOf(aspect, group, `${aspect.issueType} ${key}`, url));
            found.set(url, list);
          }
        }
      }
      return found;
    },
  };
}

/** The page of a folder has one address with the name of its file, and one without. */
const withoutIndex = (url: string): string => keyOnSite(url).replace(/\/index\.\w+$/, '/');

/** True if a page refers search engines to another one. */
const isOther = (canonical: string, own: string): boolean =>
  URL.canParse(canonical) && withoutIndex(canonical) !== own;

function findingOf(
  { noun, issueType, selector, suggestion }: Aspect,
  { text, urls }: Group,
  cause: string,
  url: string,
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
    cause,
  };
}
