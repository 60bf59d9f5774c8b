import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import type { LogLine } from '../core/execute-task.ts';
import type { Run } from '../core/run-state.ts';

/** What a page that deviates from the others is found to have. */
export const CROSS_PAGE_ISSUE = 'cross-page-inconsistency';

export const isCrossPage = ({ scope }: AgentBehavior): boolean => scope?.crossPage?.enabled === true;

/** Whether a run looks for the other pages of its site. */
export const followsLinks = ({ request, behavior }: Pick<Run, 'request' | 'behavior'>): boolean =>
  request.crossPageExecute || (isCrossPage(behavior) && behavior.scope?.crossPage?.pageDiscovery === 'auto');

/** The pages that an agent names itself, read from the seed; what is no address is passed over with a note. */
export function namedPages(run: Pick<Run, 'row' | 'behavior'>, log: (line: LogLine) => void): string[] {
  const crossPage = run.behavior.scope?.crossPage;
  if (!crossPage?.enabled || crossPage.pageDiscovery !== 'manual') return [];
  return (crossPage.pages ?? []).flatMap((page) => {
    const url = URL.parse(page, run.row.seedUrl);
    if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
      return [url.href];
    log({ level: 'warn', message: `A page of scope.crossPage is no address that can be looked at: ${page}` });
    return [];
  });
}
