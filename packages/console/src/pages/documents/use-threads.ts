import type { NewComment, Thread, ThreadsStore } from '@redpen/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { sendWhileLeaving } from '../../session/send-while-leaving.ts';
import { useRedpen, useUser } from '../../session/session.tsx';
import { matches, parseThreads, queryOf, type ThreadSearch } from './thread-filter.ts';
import { usePlace } from './use-places.ts';

export type ChangeThreads = (changes: { [K in keyof ThreadSearch]?: ThreadSearch[K] | undefined }) => void;

/** The filters in the address, and a function that changes them. */
export function useThreadSearch(): { search: ThreadSearch; change: ChangeThreads } {
  const raw = useSearch({ strict: false }) as Record<string, unknown>;
  const text = JSON.stringify(raw);
  const search = useMemo(() => parseThreads(JSON.parse(text) as Record<string, unknown>), [text]);
  const navigate = useNavigate();
  const change: ChangeThreads = useCallback(
    (changes) =>
      void navigate({
        search: ((before: Record<string, unknown>) => parseThreads({ ...before, ...changes })) as never,
        replace: true,
        resetScroll: false,
      } as never),
    [navigate],
  );
  return { search, change };
}

/** The threads of the document, kept up to date by live events. */
export function useThreads(search: ThreadSearch) {
  const redpen = useRedpen();
  const { organizationId, documentId } = usePlace();
  const { userId } = useUser();
  const { by, page } = search;
  const store: ThreadsStore = useMemo(
    () =>
      redpen.live.threads(
        queryOf({ organizationId, documentId }, { ...(by && { by }), ...(page && { page }) }, userId),
      ),
    [redpen, organizationId, documentId, by, page, userId],
  );
  const state = useSyncExternalStore(store.subscribe, store.get);
  const threads: readonly Thread[] = useMemo(
    () => state.threads.filter((thread) => matches(thread, search)),
    [state.threads, search],
  );
  return { store, state, threads };
}

/** What the page itself changes in the name of the member, beside what the elements do. */
export function useThreadActions(store: ThreadsStore) {
  const redpen = useRedpen();
  const { organizationId, documentId } = usePlace();
  const user = useUser();
  return useMemo(
    () => ({
      store,
      begin: (comment: NewComment, pageUrl: string | undefined) =>
        store.add(
          { ...comment, from: user, triggerNotification: true, triggerActivities: true },
          pageUrl === undefined ? {} : { pageInfo: { url: pageUrl } },
        ),
      setStatus: (id: string, status: Thread['status'] = { id: 'OPEN', name: 'Open', type: 'default' }) =>
        store.update(id, { status, statusUpdatedByUserId: user.userId }),
      markRead: (id: string) => store.markRead(id),
      decide: (
        { annotationId, suggestion }: Thread,
        status: 'accepted' | 'rejected',
        { reason, isLeaving }: { reason?: string | undefined; isLeaving: boolean },
      ): Promise<unknown> => {
        const changes = {
          suggestion: {
            ...suggestion,
            status,
            resolvedBy: user,
            ...(reason !== undefined && { rejectReason: reason }),
          },
        };
        return isLeaving
          ? sendWhileLeaving(redpen, '/v2/commentannotations/update', {
              organizationId,
              documentId,
              annotationIds: [annotationId],
              updatedData: changes,
            })
          : store.update(annotationId, changes);
      },
    }),
    [redpen, organizationId, documentId, store, user],
  );
}
export type ThreadActions = ReturnType<typeof useThreadActions>;
