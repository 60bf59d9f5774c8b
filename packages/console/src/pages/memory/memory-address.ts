export const TABS = ['ask', 'judgments', 'patterns', 'people', 'alerts', 'knowledge'] as const;
export type MemoryTab = (typeof TABS)[number];

/** What the address of the page says: the tab, and the filters of its lists. */
export interface MemoryAddress {
  tab?: MemoryTab;
  q?: string;
  decision?: string;
  judge?: 'human' | 'agent';
  reviewer?: string;
  organization?: string;
  document?: string;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** The known parts of an address; anything else in it is left out. */
export function readAddress(search: Record<string, unknown>): MemoryAddress {
  const organization = textOf(search.organization);
  const found = {
    tab: TABS.find((tab) => tab === search.tab),
    q: textOf(search.q),
    decision: DECISIONS.find((decision) => decision === search.decision),
    judge: search.judge === 'human' || search.judge === 'agent' ? search.judge : undefined,
    reviewer: textOf(search.reviewer),
    organization,
    // A document is known within its organization only.
    document: organization && textOf(search.document),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

export const DECISIONS = [
  'approve',
  'reject',
  'comment',
  'resolve',
  'in_progress',
  'agree',
  'disagree',
  'endorse',
] as const;
type Decision = (typeof DECISIONS)[number];

const MOST_LISTED = 100;
const MOST_FOUND = 50;

const placeOf = ({ organization, document }: MemoryAddress) => ({
  ...(organization && { organizationId: organization }),
  ...(document && { documentId: document }),
});

const filtersOf = ({ decision, judge, reviewer }: MemoryAddress) => ({
  ...(decision && { decision: decision as Decision }),
  ...(judge && { judgeType: judge }),
  ...(reviewer && { reviewerId: reviewer }),
});

/** The request for the newest judgments with these filters. */
export const listRequest = (address: MemoryAddress) => ({
  ...placeOf(address),
  ...filtersOf(address),
  limit: MOST_LISTED,
});

/** The request for the judgments that are nearest to the words of the address. */
export const searchRequest = (address: MemoryAddress) => {
  const filters = filtersOf(address);
  return {
    query: address.q ?? '',
    ...placeOf(address),
    ...(Object.keys(filters).length > 0 && { filters }),
    limit: MOST_FOUND,
  };
};
