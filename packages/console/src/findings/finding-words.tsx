import type { FindingRecord } from '@redpen/client';
import { wordsAround } from './finding-text.ts';
import styles from './findings.module.css';

type Quoted = Pick<FindingRecord, 'targetText' | 'context' | 'url' | 'htmlSelector'>;

const AROUND = 60;
const SHORT_AROUND = 36;

/** The words that a finding is about, within those around them. Findings without words show an address or element. */
export function FindingWords({ finding, isShort }: { finding: Quoted; isShort?: boolean }) {
  const { targetText, context, url, htmlSelector } = finding;
  if (targetText === '') {
    const place = url ?? htmlSelector;
    return place === '' ? null : <code className={styles.place}>{place}</code>;
  }
  const [before, after] = context
    ? wordsAround(targetText, context, isShort ? SHORT_AROUND : AROUND)
    : ['', ''];
  return (
    <span className={styles.words} dir="auto">
      {before}
      <mark>{targetText}</mark>
      {after}
    </span>
  );
}
