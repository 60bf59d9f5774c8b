import type { FindingRecord } from '@redpen/client';
import styles from './findings.module.css';

type Quoted = Pick<FindingRecord, 'targetText' | 'context' | 'url' | 'htmlSelector'>;

const AROUND = 60;

const endOf = (text: string): string => (text.length > AROUND ? `…${text.slice(-AROUND)}` : text);
const startOf = (text: string): string => (text.length > AROUND ? `${text.slice(0, AROUND)}…` : text);

/** The words that a finding is about, within those around them. Findings without words show an address or element. */
export function FindingWords({ finding, isShort }: { finding: Quoted; isShort?: boolean }) {
  const { targetText, context, url, htmlSelector } = finding;
  if (targetText === '') {
    const place = url ?? htmlSelector;
    return place === '' ? null : <code className={styles.place}>{place}</code>;
  }
  return (
    <span className={styles.words}>
      {context && (isShort ? endOf(context.before).slice(-30) : endOf(context.before))}
      <mark>{targetText}</mark>
      {context && (isShort ? startOf(context.after).slice(0, 40) : startOf(context.after))}
    </span>
  );
}
