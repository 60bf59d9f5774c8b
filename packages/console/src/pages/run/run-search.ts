import type { Severity } from '@redpen/client';
import { SEVERITIES } from '@redpen/elements/theme/severities';

export const RUN_TABS = ['findings', 'pages', 'log', 'compare'] as const;
export type RunTab = (typeof RUN_TABS)[number];

export const SHOWN = ['open', 'new', 'decided', 'all'] as const;
export type Shown = (typeof SHOWN)[number];

/** The part of the address of a review that says what of it is shown. */
export interface RunSearch {
  tab: RunTab;
  shown: Shown;
  severity: readonly Severity[];
  agent: string | undefined;
  /** The page whose picture is shown. */
  page: string | undefined;
  /** True if findings of other pages are hidden. */
  isPageOnly: boolean;
  text: string;
  finding: string | undefined;
}

const oneOf = <T extends string>(all: readonly T[], value: unknown, otherwise: T): T =>
  all.find((one) => one === value) ?? otherwise;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;

/** Reads the query of an address; what it does not know is ignored. */
export const readRunSearch = (search: Record<string, unknown>): RunSearch => ({
  tab: oneOf(RUN_TABS, search.tab, 'findings'),
  shown: oneOf(SHOWN, search.shown, 'open'),
  severity: SEVERITIES.filter((one) =>
    String(search.severity ?? '')
      .split(' ')
      .includes(one),
  ),
  agent: textOf(search.agent),
  page: textOf(search.page),
  isPageOnly: search.only === 'page',
  text: textOf(search.text) ?? '',
  finding: textOf(search.finding),
});

/** The query of an address, without what is so by default. */
export function writeRunSearch(search: RunSearch): Record<string, string | undefined> {
  const { tab, shown, severity, agent, page, isPageOnly, text, finding } = search;
  return {
    tab: tab === 'findings' ? undefined : tab,
    shown: shown === 'open' ? undefined : shown,
    severity: severity.length === 0 ? undefined : severity.join(' '),
    agent,
    page,
    only: isPageOnly ? 'page' : undefined,
    text: text || undefined,
    finding,
  };
}
