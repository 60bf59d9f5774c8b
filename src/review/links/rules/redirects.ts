import { shorten } from '../../../lib/text/cut-text.ts';
import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { linkIssue } from '../link-rules.ts';
import type { LinkKind } from '../page/link-kind.ts';
import type { WorkingLink } from '../review-links.ts';

const MIN_HOPS = 3;
const MAX_SHOWN = 5;
const PERMANENT = new Set([301, 308]);
/** Uses of an address that an author writes and can correct. */
const WRITTEN = new Set<LinkKind>([
  'anchor',
  'area',
  'frame',
  'script',
  'stylesheet',
  'image',
  'media',
  'embed',
]);

/** Links that work only over a long chain of redirects, or whose target has moved for good. */
export const redirectFindings = (links: readonly WorkingLink[]): DraftFinding[] =>
  links.flatMap((one) => redirectFinding(one) ?? []);

function redirectFinding({ link, chain, count }: WorkingLink): DraftFinding | undefined {
  const { redirects, final } = chain;
  const status = final.status ?? 0;
  if (!WRITTEN.has(link.kind) || redirects.length === 0 || status < 200 || status >= 300) return undefined;
  const place = {
    url: link.url,
    targetText: link.text,
    occurrence: link.occurrence,
    htmlSelector: link.selector,
    htmlSnippet: link.snippet,
    findingType: link.text ? ('text' as const) : ('page' as const),
    confidence: 100,
  };
  const often = count > 1 ? ` The page names it ${count} times.` : '';
  const named = link.text ? `: link “${shorten(link.text, 80)}”` : '';
  if (redirects.length >= MIN_HOPS) {
    const shown = redirects.slice(0, MAX_SHOWN).map((hop) => `${hop.url} (${hop.status})`);
    const way = [...shown, ...(redirects.length > MAX_SHOWN ? ['…'] : []), final.url].join(' → ');
    return {
      ...place,
      title: `Chain of ${redirects.length} redirects${named}`,
      description: `The address ${link.url} leads to its target over ${redirects.length} redirects: ${way}.${often}`,
      suggestion: `Link straight to ${final.url}.`,
      ...linkIssue('redirect-chain'),
      cause: `redirect-chain ${final.url}`,
    };
  }
  const target = permanentTarget(chain);
  if (target === undefined) return undefined;
  return {
    ...place,
    title: `Moved permanently${named}`,
    description: `The address ${link.url} redirects permanently (HTTP ${redirects[0]!.status}) to ${target}.${often}`,
    suggestion: `Link to ${target}.`,
    ...linkIssue('permanent-redirect'),
    cause: causeOf(link.url, target),
  };
}

/** Where the leading permanent redirects lead; undefined if there are none, or none that a link could follow. */
function permanentTarget({ redirects, final }: WorkingLink['chain']): string | undefined {
  const temporary = redirects.findIndex(({ status }) => !PERMANENT.has(status));
  if (temporary === 0) return undefined;
  return temporary === -1 ? final.url : redirects[temporary]!.url;
}

/** A host that has moved to HTTPS, or to another name, is one cause for all of its pages. */
function causeOf(from: string, to: string): string {
  const [source, target] = [new URL(from), new URL(to)];
  const isSamePlace = source.pathname === target.pathname && source.search === target.search;
  return isSamePlace && source.origin !== target.origin
    ? `redirect ${source.origin} ${target.origin}`
    : `redirect ${to}`;
}
