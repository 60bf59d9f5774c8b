import type { RuleEntry } from '../../shapes/agents/rule.ts';

/** Issue type of findings about pages that deviate from the others. */
export const CROSS_PAGE_ISSUE = 'cross-page-inconsistency';

const when = 'The model judges the deviation so.';

/** The issue type of comparisons of pages, which a model makes. */
export const crossPageRules = {
  [CROSS_PAGE_ISSUE]: {
    title: 'Pages that contradict one another',
    help: 'A property that should be the same on all pages of a run differs on this one. Bring the pages into agreement. Only agents with `scope.crossPage` compare pages.',
    severity: 'medium',
    otherwise: [
      { severity: 'critical', when },
      { severity: 'high', when },
      { severity: 'low', when },
      { severity: 'info', when },
    ],
  },
} satisfies Record<string, RuleEntry>;
