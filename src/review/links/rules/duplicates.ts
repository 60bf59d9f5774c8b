import { shorten } from '../../../lib/text/cut-text.ts';
import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { type LinkIssue, linkIssue } from '../link-rules.ts';
import { keyOnSite, type PageFacts } from './site-facts.ts';

/** Finds pages that have the same title or description, which search engines then show for all of them. */
export interface DuplicateFinder {
  add(url: string, facts: PageFacts): void;
  /** Findings by the URL of their page. */
  findings(): Map<string, DraftFinding[]>;
}

interface Aspect {
  noun: string;
  issueType: LinkIssue;
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
      if (noindex || seen.has(own) || (canonical !== undefined && isOther(canonical, url))) return;
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
          const urls = distinctPages(group.urls);
          if (urls.length < 2) continue;
          for (const url of urls) {
            const list = found.get(url) ?? [];
            list.push(findingOf(aspect, { ...group, urls }, `${aspect.issueType} ${key}`, url));
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

/**
 * The pages without views of others: an address with a query beside the one without, and a page that is not translated
 * yet in the folder of another language.
 */
function distinctPages(urls: readonly string[]): string[] {
  const keys = new Set<string>();
  // Shorter addresses come first, since those of views have more parts.
  const kept = urls
    .toSorted((a, b) => a.length - b.length)
    .filter((url) => {
      const own = withoutLanguage(withoutIndex(url));
      const [path] = own.split('?');
      if (keys.has(own) || keys.has(path!)) return false;
      keys.add(own);
      return true;
    });
  const isKept = new Set(kept);
  return urls.filter((url) => isKept.has(url));
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

function withoutLanguage(path: string): string {
  const [, code] = /^\/([a-z]{2}(?:[-_][a-z]{2})?)\//i.exec(path) ?? [];
  const isLanguage = code !== undefined && languages.of(code.slice(0, 2)) !== undefined;
  return isLanguage ? path.slice(code.length + 1) : path;
}

/** True if a page refers search engines to another one of its site. A copy of a site names the original throughout. */
const isOther = (canonical: string, url: string): boolean =>
  URL.parse(canonical)?.host === new URL(url).host && withoutIndex(canonical) !== withoutIndex(url);

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
    ...linkIssue(issueType),
    htmlSelector: selector,
    findingType: 'page',
    isPageLevel: true,
    confidence: 100,
    suggestion,
    cause,
  };
}
