import type { Thread } from '@redpen/client';
import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { DecideBar } from '../../findings/decide-bar.tsx';
import { RejectDialog } from '../../findings/reject-dialog.tsx';
import { useMay } from '../../session/session.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { titleOf } from './thread-filter.ts';
import styles from './threads.module.css';
import { usePlace } from './use-places.ts';
import type { ThreadActions } from './use-threads.ts';
import type { Undoable } from './use-undoable.ts';
import { wordDiff } from './word-diff.ts';

/** What a suggestion changes, word by word. */
export const WordDiff = ({ before, after }: { before: string; after: string }) => (
  <p className={styles.diff} dir="auto">
    {wordDiff(before, after).map(({ kind, text }, index) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no names.
      if (kind === 'same') return <span key={index}>{text}</span>;
      const Part = kind === 'removed' ? 'del' : 'ins';
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no names.
        <Part key={index}>{text}</Part>
      );
    })}
  </p>
);

export function SuggestionStatus({ thread: { suggestion } }: { thread: Thread }) {
  if (!suggestion) return null;
  const { status } = suggestion;
  if (status === 'pending') return <Badge tone="warn">To decide</Badge>;
  return status === 'accepted' ? (
    <Badge tone="good">
      <Check aria-hidden /> Accepted
    </Badge>
  ) : (
    <Badge>
      <X aria-hidden /> Rejected
    </Badge>
  );
}

const asText = (value: unknown): string | undefined =>
  value === undefined || value === null
    ? undefined
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2);

interface DecisionProps {
  thread: Thread;
  actions: ThreadActions;
  undoable: Undoable;
}

/** The change that a suggestion proposes, and the decision on it. */
export function SuggestionBox(props: DecisionProps) {
  const { thread } = props;
  const may = useMay('editor');
  const { suggestion, agent } = thread;
  if (!suggestion) return null;
  const before = asText(suggestion.oldValue);
  const after = asText(suggestion.newValue);
  const { resolvedBy, rejectReason, status, summary } = suggestion;
  const by = typeof resolvedBy === 'string' ? resolvedBy : (resolvedBy?.name ?? resolvedBy?.userId);
  return (
    <section className={styles.suggestion} aria-label="Suggestion">
      {(before !== undefined || after !== undefined) && (
        <WordDiff before={before ?? ''} after={after ?? ''} />
      )}
      {summary && !agent && summary !== titleOf(thread) && <p>{summary}</p>}
      {status !== 'pending' && (
        <p className={styles.hint}>
          {status === 'accepted' ? 'Accepted' : 'Rejected'}
          {by && ` by ${by}`}
          {rejectReason && `: “${rejectReason}”`}
        </p>
      )}
      {may && status === 'pending' && (agent ? <AgentDecision {...props} /> : <PersonDecision {...props} />)}
    </section>
  );
}

/** A suggestion of an agent stands for findings, and is decided with them. */
function AgentDecision(props: DecisionProps) {
  const { thread } = props;
  const { organizationId, documentId } = usePlace();
  const to = useKeyPath();
  const fingerprint = thread.agent?.reason.fingerprint;
  const query = useKeyQuery(
    ['finding', 'of', organizationId, documentId, fingerprint],
    async (redpen, signal) =>
      (
        await redpen.findings.list(
          { organizationId, documentId, fingerprint: String(fingerprint) },
          { signal },
        )
      ).findings.filter(({ annotationId }) => annotationId === thread.annotationId),
    { enabled: fingerprint !== undefined },
  );
  const [first] = query.data ?? [];
  if (query.data && first)
    return (
      <>
        <DecideBar findings={query.data} />
        <Link to={to('/findings')} search={{ finding: first.id } as never}>
          Open the finding
        </Link>
      </>
    );
  if (query.isLoading) return null;
  // Agents of others write suggestions that no finding stands for.
  return <PersonDecision {...props} />;
}

function PersonDecision({ thread, actions, undoable }: DecisionProps) {
  const [isRejecting, setRejecting] = useState(false);
  const { annotationId } = thread;
  if (undoable.isWaiting(annotationId))
    return <p className={styles.hint}>The decision is sent in a few seconds, unless you undo it.</p>;
  return (
    <div className={styles.buttons}>
      <Button
        size="small"
        onPress={() =>
          undoable.start(annotationId, 'Suggestion accepted', (isLeaving) =>
            actions.decide(thread, 'accepted', { isLeaving }),
          )
        }
      >
        <Check /> Accept
      </Button>
      <Button size="small" onPress={() => setRejecting(true)}>
        <X /> Reject
      </Button>
      <RejectDialog
        count={1}
        isOpen={isRejecting}
        isFinal
        onClose={() => setRejecting(false)}
        onReject={(reason) =>
          undoable.start(annotationId, 'Suggestion rejected', (isLeaving) =>
            actions.decide(thread, 'rejected', { reason, isLeaving }),
          )
        }
      />
    </div>
  );
}
