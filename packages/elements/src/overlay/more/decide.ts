import type { Thread } from '@redpen/client';
import { actOn, type ThreadAction } from '../../comments/thread-actions.ts';
import { type DecisionStep, Decisions } from '../../findings/decisions.ts';
import type { Item } from '../items.ts';
import type { Overlay } from '../overlay.ts';

export type Verdict = 'accepted' | 'rejected' | 'resolved';

/** The decisions of a person, which are sent when they can no longer be undone. */
export interface Deciding {
  /** The last step as long as it can be undone, with the title of its item. */
  readonly last: { verdict: Verdict; title: string } | undefined;
  /** Why the service has refused a decision. */
  readonly problem: string | undefined;
  decide(item: Item, verdict: Verdict, reason?: string): void;
  /** Returns the id of the item whose decision is taken back. */
  undo(): string | undefined;
  forgetProblem(): void;
}

const actionOf = ({ decision, reason }: DecisionStep): ThreadAction => {
  if (decision === 'rejected') return { kind: 'reject', reason };
  return { kind: decision === 'accepted' ? 'accept' : 'resolve' };
};

/** The request outlives the page, which the store of the page does not. */
async function sendWhileLeaving(overlay: Overlay, thread: Thread, action: ThreadAction): Promise<void> {
  const { organizationId, documentId } = overlay.settings;
  const update = async (annotationId: string, updatedData: object) => {
    await overlay.client!.connection.request('/v2/commentannotations/update', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        data: { organizationId, documentId, annotationIds: [annotationId], updatedData },
      }),
      keepalive: true,
    });
    return { success: true, message: '' };
  };
  await actOn({ ...overlay.store!, update }, thread, action, {});
}

export function decidingOf(overlay: Overlay, onChange: (ids: readonly string[]) => void): Deciding {
  let item: Item | undefined;
  const decisions = new Decisions(
    async (step, isLeaving) => {
      const { thread } = item!;
      if (isLeaving) await sendWhileLeaving(overlay, thread, actionOf(step));
      else await actOn(overlay.store!, thread, actionOf(step), {});
      return new Map();
    },
    () => onChange(decisions.undoable?.ids ?? []),
  );
  addEventListener('pagehide', () => decisions.flush(true));
  return {
    get last() {
      const { undoable } = decisions;
      return undoable && { verdict: undoable.decision as Verdict, title: item!.title };
    },
    get problem() {
      return decisions.problem;
    },
    decide(next, decision, reason) {
      // What waits is about the item before.
      decisions.flush();
      item = next;
      decisions.decide({ ids: [next.id], decision, reason });
    },
    undo: () => decisions.undo()?.ids[0],
    forgetProblem() {
      decisions.problem = undefined;
      onChange(decisions.undoable?.ids ?? []);
    },
  };
}
