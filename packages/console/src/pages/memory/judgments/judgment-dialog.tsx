import type { Judgment } from '@redpen/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../../data/use-key-query.ts';
import { useMay } from '../../../session/session.tsx';
import { useKeyPath } from '../../../shell/key-path.ts';
import { AssistantBadge, Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { FormDialog, ModalDialog } from '../../../ui/dialog.tsx';
import { plural, Time } from '../../../ui/time.ts';
import { announce } from '../../../ui/toasts.tsx';
import styles from '../memory.module.css';
import { assistantOf, decisionOf, MEMORY, originOf, percent } from '../memory-data.ts';

/** A judgment with its place, and the other decisions of its thread. */
export function JudgmentDialog({ judgment, onClose }: { judgment: Judgment; onClose: () => void }) {
  const mayEdit = useMay('editor');
  const [isRevoking, setRevoking] = useState(false);
  const { text, tone } = decisionOf(judgment.decision);
  return (
    <>
      <ModalDialog
        title="Judgment"
        kind="side"
        isOpen={!isRevoking}
        onClose={onClose}
        footer={
          mayEdit && (
            <Button variant="danger" onPress={() => setRevoking(true)}>
              Revoke
            </Button>
          )
        }
      >
        <div className={styles.head}>
          <Badge tone={tone}>{text}</Badge>
          <span>{judgment.actionUser.name || judgment.actionUser.userId}</span>
          <Assistant judgment={judgment} />
          <span className={styles.small}>
            <Time at={judgment.createdAt} />
          </span>
        </div>
        <p>{judgment.reasoning || 'No reason was given.'}</p>
        {judgment.content && <q className={styles.quote}>{judgment.content}</q>}
        <Facts judgment={judgment} />
        <Votes judgment={judgment} />
      </ModalDialog>
      <RevokeDialog
        recordId={judgment.recordId}
        isOpen={isRevoking}
        onClose={() => setRevoking(false)}
        onRevoked={onClose}
      />
    </>
  );
}

function Assistant({ judgment }: { judgment: Judgment }) {
  const name = assistantOf(judgment);
  return name === undefined ? null : <AssistantBadge name={name} />;
}

const SCOPES = {
  document: 'This document',
  organization: 'Its organization',
  apiKey: 'All content of the API key',
};

function Facts({ judgment }: { judgment: Judgment }) {
  const to = useKeyPath();
  const { organizationId, documentId, origin, scope, contentType, confidence, recordId } = judgment;
  const place =
    organizationId &&
    [organizationId, documentId].filter(Boolean).map((id) => encodeURIComponent(String(id)));
  return (
    <dl className={styles.facts}>
      <dt>Place</dt>
      <dd>
        {place ? (
          <Link to={to(`/documents/${place.join('/')}`)}>
            {[organizationId, documentId].filter(Boolean).join(' / ')}
          </Link>
        ) : (
          'No document'
        )}
      </dd>
      <dt>Counts for</dt>
      <dd>{SCOPES[scope]}</dd>
      <dt>Source</dt>
      <dd>{originOf(origin)}</dd>
      {contentType && (
        <>
          <dt>Content</dt>
          <dd>{contentType}</dd>
        </>
      )}
      <dt>Certainty</dt>
      <dd>{percent(confidence)}</dd>
      <dt>Id</dt>
      <dd>
        <code>{recordId}</code>
      </dd>
    </dl>
  );
}

function Votes({ judgment: { organizationId, annotationId, recordId } }: { judgment: Judgment }) {
  const { data } = useKeyQuery(
    [...MEMORY, 'thread', organizationId, annotationId],
    async (redpen, signal) => {
      const place = { organizationId: organizationId ?? '', annotationId: annotationId ?? '' };
      return (await redpen.judgments.query({ ...place, limit: 100 }, { signal })).results;
    },
    { enabled: organizationId !== null && annotationId !== null },
  );
  const others = data?.filter((one) => one.recordId !== recordId) ?? [];
  if (others.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3>{plural(others.length, 'other decision')} in the thread</h3>
      <ul className={styles.cited}>
        {others.map((other) => (
          <li key={other.recordId}>
            <div className={styles.head}>
              <Badge tone={decisionOf(other.decision).tone}>{decisionOf(other.decision).text}</Badge>
              {other.actionUser.name || other.actionUser.userId}
              <Assistant judgment={other} />
              <span className={styles.small}>
                <Time at={other.createdAt} />
              </span>
            </div>
            {other.reasoning && <p>{other.reasoning}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function RevokeDialog({
  recordId,
  isOpen,
  onClose,
  onRevoked,
}: {
  recordId: string;
  isOpen: boolean;
  onClose: () => void;
  onRevoked: () => void;
}) {
  const revoke = useKeyMutation((redpen, id: string) => redpen.judgments.delete({ recordIds: [id] }), {
    renews: [MEMORY],
  });
  return (
    <FormDialog
      title="Revoke the judgment?"
      role="alertdialog"
      isOpen={isOpen}
      onClose={onClose}
      submitLabel="Revoke"
      isDanger
      onSubmit={async () => {
        await revoke.mutateAsync(recordId);
        announce('The judgment is revoked.');
        onRevoked();
      }}
    >
      <p>
        Searches, answers and predictions no longer use it. The comment or finding that it comes from stays as
        it is.
      </p>
    </FormDialog>
  );
}
