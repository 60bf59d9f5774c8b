import type { FindingRecord } from '@redpen/client';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { sendWhileLeaving } from '../session/send-while-leaving.ts';
import { sendOnceSignedIn, useKey, useRedpen, useSession } from '../session/session.tsx';
import { sendBeforeLeaving } from '../session/unsent.ts';
import { plural } from '../ui/time.ts';
import { announce } from '../ui/toasts.tsx';
import {
  type Decidable,
  type Decision,
  DecisionQueue,
  type DecisionRequest,
  type DecisionShown,
} from './decision-queue.ts';

export type { Decidable, Decision, DecisionShown } from './decision-queue.ts';
export { isFinal } from './decision-queue.ts';

const DONE: Record<Decision, string> = {
  accepted: 'accepted',
  rejected: 'rejected',
  resolved: 'resolved',
  undecided: 'reopened',
};

/** One for each API key and account, so that decisions survive a change of the page. */
const queues = new Map<string, DecisionQueue>();

export interface Decisions {
  /** Shows the decision at once; for 8 seconds it can be undone. `count`: the findings that people see, if it differs. */
  decide(
    findings: readonly Decidable[],
    decision: Decision,
    options?: { reason?: string | undefined; count?: number },
  ): void;
  /** The decision on a finding as the person should see it. */
  shown(finding: Decidable): DecisionShown;
}

/** Decisions on findings in the name of the member. Lists that are named `findings` are read again after them. */
export function useDecisions(): Decisions {
  const redpen = useRedpen();
  const { account } = useSession();
  const { apiKeyId } = useKey().key;
  const queries = useQueryClient();
  const queue = useMemo(() => {
    const { accountId, name, email } = account;
    const key = `${apiKeyId} ${accountId}`;
    const known = queues.get(key);
    if (known) return known;
    const actionUser = { userId: accountId, name, ...(email && { email }) };
    const made = new DecisionQueue({
      async send(request: DecisionRequest, isLeaving) {
        const data = { ...request, actionUser };
        const items = isLeaving
          ? await sendWhileLeaving(redpen, '/v2/agents/findings/decide', data)
          : await sendOnceSignedIn(queries, () => redpen.findings.decide(data));
        return new Map(
          Object.entries(items).flatMap(([id, { success, message }]) => (success ? [] : [[id, message]])),
        );
      },
      onFailure: (sentence) => announce(sentence),
      onSaved: () => void queries.invalidateQueries({ queryKey: [apiKeyId, 'findings'] }),
    });
    queues.set(key, made);
    // For as long as the console is open: decisions outlive the page on which they were made.
    sendBeforeLeaving((isLeaving) => made.flush(isLeaving));
    return made;
  }, [apiKeyId, redpen, account, queries]);
  const version = useSyncExternalStore(queue.subscribe, queue.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is a new object, so that rows show it.
  return useMemo(
    () => ({
      decide(findings, decision, { reason, count = findings.length } = {}) {
        if (findings.length === 0) return;
        const batch = queue.decide(findings, decision, reason);
        announce(`${plural(count, 'finding')} ${DONE[decision]}`, {
          label: 'Undo',
          run: () => queue.undo(batch),
        });
      },
      shown: (finding) => queue.shown(finding),
    }),
    [queue, version],
  );
}

/** Findings on which the person may still decide. */
export const undecided = <T extends FindingRecord>(findings: readonly T[], { shown }: Decisions): T[] =>
  findings.filter((finding) => shown(finding).decision === 'undecided');
