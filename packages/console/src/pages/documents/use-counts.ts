import { useKeyQuery } from '../../data/use-key-query.ts';
import { useUser } from '../../session/session.tsx';

/** The open statuses that the service knows; callers may have others. */
const OPEN = ['OPEN', 'IN_PROGRESS'];
/** Most documents that a request may name. */
const AT_ONCE = 30;

export interface DocumentCounts {
  open: number;
  unread: number;
  suggestions: number;
}

/** Open threads, those that the member has not read, and suggestions that wait for a decision, by document. */
export function useCounts(organizationId: string, documentIds: readonly string[]) {
  const { userId } = useUser();
  return useKeyQuery(
    ['documents', organizationId, 'counts', userId, documentIds],
    async (redpen, signal) => {
      const found = new Map<string, DocumentCounts>();
      for (let from = 0; from < documentIds.length; from += AT_ONCE) {
        const ids = documentIds.slice(from, from + AT_ONCE);
        const place = { organizationId, documentIds: ids, userId, allAnnotations: true as const };
        const [threads, suggestions] = await Promise.all([
          redpen.annotations.count({ ...place, statusIds: OPEN }, { signal }),
          redpen.annotations.count({ ...place, statusIds: OPEN, suggestionStatus: 'pending' }, { signal }),
        ]);
        for (const id of ids)
          found.set(id, {
            open: threads[id]?.total ?? 0,
            unread: threads[id]?.unread ?? 0,
            suggestions: suggestions[id]?.total ?? 0,
          });
      }
      return found;
    },
    { enabled: documentIds.length > 0, keepsPrevious: true },
  );
}
