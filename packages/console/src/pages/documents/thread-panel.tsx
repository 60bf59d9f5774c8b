import type { Thread as ThreadRecord } from '@redpen/client';
import { Thread } from '@redpen/elements/react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { DecideBar } from '../../findings/decide-bar.tsx';
import { usePastReasons } from '../../findings/reject-dialog.tsx';
import { useMay, useRedpen, useUser } from '../../session/session.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { plural } from '../../ui/time.ts';
import { announce, sayFailure } from '../../ui/toasts.tsx';
import styles from './threads.module.css';
import { usePlace } from './use-places.ts';
import type { ThreadActions } from './use-threads.ts';
import type { Undoable } from './use-undoable.ts';

/** What an agent says beyond the description of its finding. */
function AgentFacts({ thread: { agent } }: { thread: ThreadRecord }) {
  if (!agent) return null;
  const { issueType, cause } = agent.reason;
  return (
    <p slot="finding" className={styles.hint}>
      {agent.agentName ?? agent.agentId}
      {issueType && (
        <>
          {' '}
          · <code>{issueType}</code>
        </>
      )}
      {cause && cause.places > 1 && (
        <>
          {' '}
          · in {plural(cause.places, 'place')} on {plural(cause.pages, 'page')}
        </>
      )}
    </p>
  );
}

/** The findings that a suggestion of an agent stands for, with which it is decided. */
function useFindingsOf({ agent, annotationId, suggestion }: ThreadRecord) {
  const { organizationId, documentId } = usePlace();
  const fingerprint = agent?.reason.fingerprint;
  const isAsked = fingerprint !== undefined && suggestion?.status === 'pending';
  const { data, error, isLoading } = useKeyQuery(
    ['finding', 'of', organizationId, documentId, fingerprint],
    async (redpen, signal) =>
      (
        await redpen.findings.list(
          { organizationId, documentId, fingerprint: String(fingerprint) },
          { signal },
        )
      ).findings.filter((finding) => finding.annotationId === annotationId),
    { enabled: isAsked },
  );
  return { findings: isAsked ? (data ?? []) : [], error, isLoading: isAsked && isLoading };
}

/** In place of the buttons that decide at once. Agents of others write suggestions that no finding stands for. */
function Decisions({
  thread,
  undoable,
  found: { findings, error, isLoading },
}: {
  thread: ThreadRecord;
  undoable: Undoable;
  found: ReturnType<typeof useFindingsOf>;
}) {
  const to = useKeyPath();
  const [first] = findings;
  if (first)
    return (
      <div slot="decisions" className={styles.decisions}>
        <DecideBar findings={findings} />
        <Link to={to('/findings')} search={{ finding: first.id } as never}>
          Open the finding
        </Link>
      </div>
    );
  if (isLoading) return <span slot="decisions" />;
  if (error)
    return (
      <p slot="decisions" className={styles.hint}>
        The finding to decide on could not be read: {error.message}
      </p>
    );
  if (!undoable.isWaiting(thread.annotationId)) return null;
  return (
    <p slot="decisions" className={styles.hint}>
      The decision is sent in a few seconds, unless you undo it.
    </p>
  );
}

/** Marks what is shown as read. */
function useMarkRead({ annotationId, isUnread, lastUpdated }: ThreadRecord, actions: ThreadActions): void {
  const may = useMay('editor');
  const tried = useRef<unknown>(undefined);
  useEffect(() => {
    // A refusal makes it unread again, and must not be asked for again.
    if (!may || !isUnread || tried.current === lastUpdated) return;
    tried.current = lastUpdated;
    sayFailure(actions.markRead(annotationId));
  }, [may, annotationId, isUnread, lastUpdated, actions]);
}

/** A thread with its suggestion, its comments and a field for the next one. */
export function ThreadPanel({
  thread,
  actions,
  undoable,
}: {
  thread: ThreadRecord;
  actions: ThreadActions;
  undoable: Undoable;
}) {
  const may = useMay('editor');
  const client = useRedpen();
  const user = useUser();
  const place = usePlace();
  const { annotationId, agent, status, suggestion } = thread;
  const found = useFindingsOf(thread);
  const isPending = suggestion?.status === 'pending';
  const reasons = usePastReasons(may && isPending && found.findings.length === 0);
  useMarkRead(thread, actions);
  return (
    <Thread
      className={styles.shown}
      {...{ client, user, thread, reasons, ...place }}
      store={actions.store}
      isReadOnly={!may}
      // It is resolved with its findings.
      noResolve={agent !== undefined && isPending && status?.type !== 'terminal'}
      onThreadAction={(event) => {
        const { detail } = event;
        if (detail.kind === 'resolve')
          announce('Thread resolved', {
            label: 'Undo',
            run: () => sayFailure(actions.setStatus(annotationId, status)),
          });
        if (detail.kind !== 'accept' && detail.kind !== 'reject') return;
        // It is final, so it is sent when it can no longer be undone.
        event.preventDefault();
        const [decision, reason] =
          detail.kind === 'accept' ? (['accepted'] as const) : (['rejected', detail.reason] as const);
        undoable.start(annotationId, `Suggestion ${decision}`, (isLeaving) =>
          actions.decide(thread, decision, { reason, isLeaving }),
        );
      }}
    >
      <AgentFacts thread={thread} />
      {may && isPending && <Decisions {...{ thread, undoable, found }} />}
    </Thread>
  );
}
