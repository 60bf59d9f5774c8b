/** What the address of a page of agents says besides its path. */
export interface AgentsAddress {
  tab?: string;
  view?: 'form' | 'json';
  from?: string;
  q?: string;
  url?: string;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The known parts of an address; anything else in it is left out. */
export function readAddress(search: Record<string, unknown>): AgentsAddress {
  const found = {
    tab: textOf(search.tab),
    view: search.view === 'json' ? 'json' : undefined,
    from: textOf(search.from),
    q: textOf(search.q),
    url: textOf(search.url),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** One of the tabs of a page, the first if the address names none of them. */
export const tabOf = <K extends string>({ tab }: AgentsAddress, tabs: readonly [K, ...K[]]): K =>
  tabs.find((one) => one === tab) ?? tabs[0];
