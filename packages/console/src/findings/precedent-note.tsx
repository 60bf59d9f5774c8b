import type { HeldBackFinding, Precedent } from '@redpen/client';
import { Scale } from 'lucide-react';
import { plural, Time } from '../ui/time.ts';
import styles from './findings.module.css';

const SCOPES = {
  document: 'on this document',
  organization: 'in this organization',
  apiKey: 'of this API key',
} as const;

/** The decisions on similar findings for which a finding is held back, or would be if it were less severe. */
export function PrecedentNote({
  precedent: { scope, rejected, approved, note, judgments },
  isReported,
}: {
  precedent: Precedent | HeldBackFinding['precedent'];
  isReported?: boolean;
}) {
  return (
    <details className={styles.precedent}>
      <summary>
        <Scale size={14} aria-hidden />{' '}
        {isReported ? 'Reported although people rejected similar findings' : 'Why it is held back'}
      </summary>
      <p>{note}</p>
      <p>
        {plural(rejected, 'similar finding')} {SCOPES[scope]} {rejected === 1 ? 'was' : 'were'} rejected,{' '}
        {approved} accepted. The most similar:
      </p>
      <ul>
        {judgments.map((judgment) => (
          <li key={judgment.recordId}>
            <b>{judgment.decision}</b> <Time at={judgment.createdAt} />
            {'reviewer' in judgment && judgment.reviewer && ` by ${judgment.reviewer.name}`},{' '}
            {Math.round(judgment.similarity * 100)} % alike
            {'reasoning' in judgment && judgment.reasoning && <>: “{judgment.reasoning}”</>}
          </li>
        ))}
      </ul>
    </details>
  );
}
