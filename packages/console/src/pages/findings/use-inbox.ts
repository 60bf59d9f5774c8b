import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useKeyQuery } from '../../data/use-key-query.ts';
import type { Decisions } from '../../findings/decide.ts';
import { useKey, useRedpen } from '../../session/session.tsx';
import { hasDecision, type InboxSearch, parseInbox, requestOf } from './finding-filter.ts';

const PAGE_SIZE = 200;
/** A longer list is not read again when the window comes to the front: that would be many requests. */
const PAGES_READ_AGAIN = 3;

/** The filters in the address, and a function that changes them. */
export function useInboxSearch() {
  const raw = useSearch({ strict: false }) as Record<string, unknown>;
  const text = JSON.stringify(raw);
  const search = useMemo(() => parseInbox(JSON.parse(text) as Record<string, unknown>), [text]);
  const navigate = useNavigate();
  const change = useCallback(
    (changes: { [K in keyof InboxSearch]?: InboxSearch[K] | undefined }, { replace = true } = {}) =>
      void navigate({
        search: ((before: Record<string, unknown>) => parseInbox({ ...before, ...changes })) as never,
        replace,
        resetScroll: false,
      } as never),
    [navigate],
  );
  return { search, change };
}

/** The findings of the filters, page by page as the list is scrolled, without those that were just decided otherwise. */
export function useInbox(search: InboxSearch, decisions: Decisions) {
  const { apiKeyId } = useKey().key;
  const redpen = useRedpen();
  const { group: _, finding: __, ...filters } = search;
  const request = requestOf(filters);
  const query = useInfiniteQuery({
    queryKey: [apiKeyId, 'inbox', request],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      redpen.findings.list(
        { ...request, pageSize: PAGE_SIZE, ...(pageParam !== undefined && { pageToken: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= PAGES_READ_AGAIN,
  });
  const { data } = query;
  const all = useMemo(() => data?.pages.flatMap(({ findings }) => findings) ?? [], [data]);
  const { decision } = search;
  const findings = useMemo(
    () =>
      all.filter((finding) =>
        hasDecision(decision === undefined ? {} : { decision }, decisions.shown(finding).decision),
      ),
    [all, decision, decisions],
  );
  return { ...query, request, findings };
}

/** What the filters offer: organizations, the documents of the chosen one, agents, and rules. */
export function useChoices(organizationId: string | undefined) {
  const organizations = useKeyQuery(['organizations', 'choices'], (redpen, signal) =>
    redpen.organizations.list({ pageSize: 1000 }, { signal }),
  );
  const documents = useKeyQuery(
    ['documents', 'choices', organizationId],
    (redpen, signal) =>
      redpen.documents.list({ organizationId: organizationId!, pageSize: 1000 }, { signal }),
    { enabled: organizationId !== undefined },
  );
  const agents = useKeyQuery(['agents', 'choices'], async (redpen, signal) => {
    const answer = await redpen.agents.get({ pageSize: 500 }, { signal });
    return 'agents' in answer ? answer.agents : [];
  });
  const rules = useKeyQuery(['rules', 'choices'], (redpen, signal) =>
    redpen.agents.rules({ pageSize: 500 }, { signal }),
  );
  const failed = [organizations, documents, agents, rules].filter(({ error }) => error !== null);
  return {
    /** Why some of the choices are not there. */
    error: failed[0]?.error,
    retry: () => Promise.all(failed.map(({ refetch }) => refetch())),
    organizations: (organizations.data ?? []).map(({ id, organizationName }) => ({
      id,
      label: organizationName,
    })),
    documents: (documents.data ?? []).flatMap((document) =>
      'documentName' in document ? [{ id: document.id, label: document.documentName || document.id }] : [],
    ),
    agents: (agents.data ?? []).map(({ id, name }) => ({ id, label: name })),
    rules: (rules.data?.rules ?? []).map(({ issueType, title }) => ({ id: issueType, label: title })),
  };
}
