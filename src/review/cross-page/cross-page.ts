import type { RunBehavior } from '../run-shape.ts';

/** What a page that deviates from the others is found to have. */
export const CROSS_PAGE_ISSUE = 'cross-page-inconsistency';

/** What an agent wants to be the same on all pages. */
export interface CrossPage {
  enabled: boolean;
  targetProperty: string;
  pageDiscovery: 'auto' | 'manual';
  pages?: string[];
}

export const isCrossPage = ({ scope }: RunBehavior): boolean => scope?.crossPage?.enabled === true;
