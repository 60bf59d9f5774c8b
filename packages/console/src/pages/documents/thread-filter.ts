import type { Thread, ThreadsQuery } from '@redpen/client';
import { plainComment } from '@redpen/elements/comments/plain-comment';

export type ThreadState = 'open' | 'resolved' | 'all';
export type ThreadsBy = 'all' | 'people' | 'agents' | 'mine';

/** What the address of a document says. Absent fields have their defaults: open threads of all. */
export interface ThreadSearch {
  state?: Exclude<ThreadState, 'open'>;
  by?: Exclude<ThreadsBy, 'all'>;
  page?: string;
  text?: string;
  unread?: true;
  /** The thread that is shown beside the list. */
  annotation?: string;
}

const text = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && `${value}` !== '' ? `${value}` : undefined;

const oneOf = <T extends string>(value: unknown, values: readonly T[]): T | undefined =>
  values.find((one) => one === value);

/** Reads the search of an address, and drops what it does not know. */
export function parseThreads(search: Readonly<Record<string, unknown>>): ThreadSearch {
  const found: { [K in keyof ThreadSearch]: ThreadSearch[K] | undefined } = {
    state: oneOf(search.state, ['resolved', 'all']),
    by: oneOf(search.by, ['people', 'agents', 'mine']),
    page: text(search.page),
    text: text(search.text),
    unread: search.unread === true ? true : undefined,
    annotation: text(search.annotation),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** What the service filters. The rest is filtered here, since it changes while people look. */
export const queryOf = (
  place: { organizationId: string; documentId: string },
  { by, page }: ThreadSearch,
  userId: string,
): ThreadsQuery => ({
  ...place,
  ...(by === 'agents' && { agentSuggestions: true as const }),
  ...(by === 'mine' && { userIds: [userId] }),
  ...(page !== undefined && { pageUrl: page }),
});

/** A thread is done if its status says so, or if its suggestion is decided. */
export const isDone = ({ status, suggestion }: Pick<Thread, 'status' | 'suggestion'>): boolean =>
  status?.type === 'terminal' || (suggestion !== undefined && suggestion.status !== 'pending');

/** The page that a thread is about. */
export const pageOf = ({ agent, pageInfo }: Pick<Thread, 'agent' | 'pageInfo'>): string | undefined =>
  agent?.url ?? pageInfo?.url ?? undefined;

/** The line that stands for a thread in a list. */
export const titleOf = ({ agent, suggestion, comments, type }: Thread): string =>
  agent?.reason.title ||
  (type === 'suggestion' && suggestion?.summary) ||
  plainComment(comments[0]) ||
  (type === 'suggestion' ? 'Suggestion' : 'Comment without text');

/** True if a thread belongs into the list. */
export function matches(
  thread: Thread,
  { state, by, text: words, unread, annotation }: ThreadSearch,
): boolean {
  // The thread that is open stays, or it would vanish as soon as it is read or resolved.
  if (thread.annotationId === annotation) return true;
  if (state !== 'all' && isDone(thread) !== (state === 'resolved')) return false;
  if (by === 'people' && thread.agent) return false;
  if (unread && thread.isUnread === false) return false;
  if (words === undefined) return true;
  const said = [
    titleOf(thread),
    thread.targetElement?.targetText,
    ...thread.comments.map((comment) => `${plainComment(comment)} ${comment.from?.name ?? ''}`),
  ];
  const all = said.join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
