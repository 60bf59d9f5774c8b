import { useState } from 'react';
import { useKeyQuery } from '../data/use-key-query.ts';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { TextInput } from '../ui/field.tsx';
import { plural } from '../ui/time.ts';
import { byFrequency } from './finding-text.ts';
import styles from './findings.module.css';

const OFFERED = 6;

/** The reasons that people gave most often. */
export function usePastReasons(isOpen: boolean): string[] {
  const { data } = useKeyQuery(
    ['rejection-reasons'],
    async (redpen, signal) => {
      const [{ results }, { findings }] = await Promise.all([
        redpen.judgments.query({ decision: 'reject', judgeType: 'human', limit: 100 }, { signal }),
        // Decisions on findings without a document leave no judgment.
        redpen.findings.list({ decision: 'rejected', pageSize: 100 }, { signal }),
      ]);
      const onDocuments = results.map(({ reasoning }) => reasoning);
      const others = findings.flatMap(({ annotationId, reason = '' }) => (annotationId ? [] : [reason]));
      return byFrequency([...onDocuments, ...others]).slice(0, OFFERED);
    },
    { enabled: isOpen },
  );
  return data ?? [];
}

/** Asks why findings are rejected, and offers the reasons that people gave before. */
export function RejectDialog({
  count,
  isOpen,
  isFinal,
  onClose,
  onReject,
}: {
  count: number;
  isOpen: boolean;
  /** Suggestions on documents stand for some: the decision cannot be changed later. */
  isFinal: boolean;
  onClose: () => void;
  onReject: (reason: string | undefined) => void;
}) {
  const [reason, setReason] = useState('');
  const past = usePastReasons(isOpen);
  const close = (): void => {
    // The next finding has another reason.
    setReason('');
    onClose();
  };
  const reject = (given: string): void => {
    onReject(given.trim() || undefined);
    close();
  };
  return (
    <FormDialog
      title={`Reject ${plural(count, 'finding')}`}
      isOpen={isOpen}
      onClose={close}
      submitLabel="Reject"
      onSubmit={async () => reject(reason)}
    >
      <TextInput
        label="Reason"
        isOptional
        rows={3}
        autoFocus
        value={reason}
        onChange={setReason}
        hint="The memory learns from it: findings like those that people keep rejecting are held back."
      />
      {past.length > 0 && (
        <div className={styles.reasons}>
          <p className={styles.label}>Past reasons</p>
          <ul>
            {past.map((text) => (
              <li key={text}>
                <Button size="small" onPress={() => reject(text)}>
                  {text.length > 70 ? `${text.slice(0, 70)}…` : text}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {isFinal && <p className={styles.note}>After the 8 seconds in which it can be undone, it is final.</p>}
    </FormDialog>
  );
}
