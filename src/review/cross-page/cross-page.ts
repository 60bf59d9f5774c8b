import { cutText } from '../../lib/text/cut-text.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import { CROSS_PAGE_ISSUE } from '../core/cross-page-rules.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import type { Gathered } from '../core/gathered.ts';
import { isCrossPage, type Run } from '../core/run-state.ts';
import { services } from '../services/index.ts';
import type { SiteRules } from '../services/review-service.ts';

/** Rules across pages of the service that an agent runs. */
export const siteRulesOf = ({ execution }: AgentBehavior): SiteRules | undefined =>
  USES_SERVICE.has(execution?.executionStrategy ?? '')
    ? services.find(({ id }) => id === execution?.serviceId)?.site
    : undefined;

const USES_SERVICE = new Set(['service', 'service+ai']);

/** True for issue types whose findings are added after the review of the single pages. */
export const isLateIssue = (behavior: AgentBehavior, issueType: string): boolean =>
  (isCrossPage(behavior) && issueType === CROSS_PAGE_ISSUE) ||
  siteRulesOf(behavior)?.issueTypes.has(issueType) === true;

/** Pages that the agent's settings list, resolved against the seed URL. Invalid addresses are logged and left out. */
export function namedPages(run: Pick<Run, 'row' | 'behavior'>, log: (line: LogLine) => void): string[] {
  const crossPage = run.behavior.scope?.crossPage;
  if (!crossPage?.enabled || crossPage.pageDiscovery !== 'manual') return [];
  return (crossPage.pages ?? []).flatMap((page) => {
    const url = URL.parse(page, run.row.seedUrl);
    if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
      return [url.href];
    log({
      level: 'warn',
      message: `scope.crossPage.pages contains an address that cannot be reviewed: ${page}`,
    });
    return [];
  });
}

/** Characters for all pages together, about as much as one question to a model holds. */
const ALL_CHARS = 350_000;
const MIN_CHARS = 500;
const MAX_CHARS = 20_000;
const HEAD_SHARE = 0.6;

/**
 * Excerpt of a page that is stored for the comparison with the others: the beginning and the end of what was gathered,
 * since headers and footers hold what pages have in common.
 */
export function textToCompare(run: Run, gathered: readonly Gathered[]): string | undefined {
  if (!isCrossPage(run.behavior)) return undefined;
  const text = gathered
    .flatMap(({ parts }) => parts.flatMap((part) => ('text' in part ? [part.text] : [])))
    .join('\n')
    .trim();
  if (text === '') return undefined;
  const share = Math.floor(ALL_CHARS / run.request.maxUrlsToProcess);
  return headAndTail(text, Math.min(MAX_CHARS, Math.max(MIN_CHARS, share)));
}

function headAndTail(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.floor(length * HEAD_SHARE);
  const tail = text.slice(text.length - (length - head)).replace(/^[\udc00-\udfff]/, '');
  return `${cutText(text, head)}\n(…)\n${tail}`;
}
