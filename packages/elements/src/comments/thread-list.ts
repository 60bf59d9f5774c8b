import type { Thread } from '@redpen/client';

export interface ThreadFilter {
  show: 'open' | 'resolved' | 'all';
  isMine: boolean;
  isAgent: boolean;
  isUnread: boolean;
  /** Only those of the page of the list. */
  isOnPage: boolean;
}

export const NO_FILTER: ThreadFilter = {
  show: 'open',
  isMine: false,
  isAgent: false,
  isUnread: false,
  isOnPage: false,
};

export const isResolved = ({ status, suggestion }: Thread): boolean =>
  status?.type === 'terminal' || (suggestion !== undefined && suggestion.status !== 'pending');

export const isByAgent = ({ sourceType, agent }: Thread): boolean =>
  sourceType === 'agent' || agent !== undefined;

/** True if the user has written in it, is mentioned in it, or is to work on it. */
export function concerns(thread: Thread, userId: string | undefined): boolean {
  if (userId === undefined) return false;
  const { from, assignedTo, involvedUserIds = [], mentionedUserIds = [], comments } = thread;
  return (
    from?.userId === userId ||
    assignedTo?.userId === userId ||
    [...involvedUserIds, ...mentionedUserIds].includes(userId) ||
    comments.some((comment) => comment.from?.userId === userId)
  );
}

/** An address without its fragment, which names no other page. */
const pageOf = (address: string | null | undefined): string | undefined => {
  if (!address || !URL.canParse(address)) return address ?? undefined;
  const url = new URL(address);
  url.hash = '';
  return url.href;
};

export const isOnPage = ({ pageInfo, agent }: Thread, pageUrl: string | undefined): boolean =>
  pageUrl === undefined || pageOf(pageInfo?.url ?? agent?.url) === pageOf(pageUrl);

export function isShown(
  thread: Thread,
  filter: ThreadFilter,
  userId: string | undefined,
  pageUrl: string | undefined,
): boolean {
  if (filter.show !== 'all' && (filter.show === 'resolved') !== isResolved(thread)) return false;
  if (filter.isMine && !concerns(thread, userId)) return false;
  if (filter.isAgent && !isByAgent(thread)) return false;
  if (filter.isUnread && thread.isUnread !== true) return false;
  return !filter.isOnPage || isOnPage(thread, pageUrl);
}

/** Those that have a place, and those whose place is gone, which are never put elsewhere. */
export function partOrphans(
  threads: readonly Thread[],
  orphans: Iterable<string> | undefined,
): { placed: Thread[]; orphaned: Thread[] } {
  const lost = new Set(orphans);
  const { true: orphaned = [], false: placed = [] } = Object.groupBy(threads, ({ annotationId }) =>
    lost.has(annotationId) ? 'true' : 'false',
  );
  return { placed, orphaned };
}
