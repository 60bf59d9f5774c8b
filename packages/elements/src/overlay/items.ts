import type { Thread } from '@redpen/client';
import type { Anchor, Resolution } from '../anchor/anchor.ts';
import { anchorOf } from '../anchor/annotation-anchor.ts';
import { isSeverity } from '../theme/severities.ts';

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** A thread as the overlay shows it. */
export interface Item {
  id: string;
  kind: 'finding' | 'comment';
  severity: Severity | undefined;
  title: string;
  thread: Thread;
  /** Undefined if it is about the whole page. */
  anchor: Anchor | undefined;
  /** Undefined until the page has been searched. */
  place: { found: Resolution } | undefined;
}

const MAX_TITLE = 90;

const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Resolved threads, and suggestions that are decided, have no pins. */
const isOpen = ({ status, suggestion }: Thread): boolean =>
  fieldsIn(status).type !== 'terminal' && !/^(accepted|rejected)$/.test(String(fieldsIn(suggestion).status));

const shortened = (text: string): string => {
  const single = text.replace(/\s+/g, ' ').trim();
  return single.length > MAX_TITLE ? `${single.slice(0, MAX_TITLE - 1)}…` : single;
};

export function itemsOf(threads: readonly Thread[], before: readonly Item[]): Item[] {
  const known = new Map(before.map((item) => [item.id, item]));
  return threads.filter(isOpen).map((thread) => {
    const same = known.get(thread.annotationId);
    if (same?.thread === thread) return same;
    const reason = fieldsIn(fieldsIn(thread.agent).reason);
    const severity = isSeverity(reason.severity) ? reason.severity : undefined;
    const title = typeof reason.title === 'string' ? reason.title : (thread.comments[0]?.commentText ?? '');
    return {
      id: thread.annotationId,
      kind: severity ? 'finding' : 'comment',
      severity,
      title: shortened(title) || '…',
      thread,
      anchor: anchorOf(thread),
      place: same?.place,
    };
  });
}

/** The number on a pin; a new thread has none until the service has it. */
export const numberOf = ({ thread }: Item): string => String(thread.annotationNumber || '·');

export const placeOf = ({ place }: Item) => place?.found;
export const isOrphan = ({ anchor, place }: Item): boolean =>
  anchor !== undefined && place !== undefined && place.found === undefined;
