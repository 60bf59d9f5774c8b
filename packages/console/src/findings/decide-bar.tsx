import { Check, CheckCheck, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { type Decidable, type Decision, isFinal, useDecisions } from './decide.ts';
import styles from './findings.module.css';
import { RejectDialog } from './reject-dialog.tsx';

interface DecideBarProps {
  findings: readonly Decidable[];
  /** How many findings people see in them, if several agents report one. */
  count?: number;
  /** Called after a decision, so that a list can go on to the next finding. */
  onDecided?: ((decision: Decision) => void) | undefined;
  size?: 'small' | 'medium';
}

/** The decisions on one finding or on several at once. Members who may only read see none of it. */
export function DecideBar({ findings, count = findings.length, onDecided, size = 'small' }: DecideBarProps) {
  const may = useMay('editor');
  const decisions = useDecisions();
  const [isRejecting, setRejecting] = useState(false);
  if (!may || findings.length === 0) return null;
  const shown = findings.map((finding) => decisions.shown(finding));
  // A person may make the same decision as an assistant.
  const isEach = (decision: Decision) =>
    shown.every((one) => one.decision === decision && one.assistant === undefined);
  const isFixed = findings.every((finding, at) => isFinal(finding, shown[at]!));
  const decide = (decision: Decision, reason?: string): void => {
    decisions.decide(findings, decision, { reason, count });
    onDecided?.(decision);
  };
  if (isFixed)
    return (
      <p className={styles.note}>The suggestion on the document is decided, and its decision is final.</p>
    );
  return (
    <div className={styles.decide}>
      {!isEach('accepted') && (
        <Button size={size} onPress={() => decide('accepted')}>
          <Check /> {count > 1 ? `Accept all ${count}` : 'Accept'}
        </Button>
      )}
      {!isEach('rejected') && (
        <Button size={size} onPress={() => setRejecting(true)}>
          <X /> Reject
        </Button>
      )}
      {!isEach('resolved') && (
        <Button size={size} variant="quiet" onPress={() => decide('resolved')}>
          <CheckCheck /> Resolve
        </Button>
      )}
      {shown.some(({ decision }) => decision !== 'undecided') && (
        <Button size={size} variant="quiet" onPress={() => decide('undecided')}>
          <RotateCcw /> Reopen
        </Button>
      )}
      <RejectDialog
        count={count}
        isOpen={isRejecting}
        isFinal={findings.some(({ annotationId }) => annotationId !== undefined)}
        onClose={() => setRejecting(false)}
        onReject={(reason) => decide('rejected', reason)}
      />
    </div>
  );
}
