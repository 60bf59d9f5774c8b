import { useMemo } from 'react';
import { plural } from '../../../ui/time.ts';
import { diffTexts, foldSame } from './line-diff.ts';
import styles from './versions.module.css';

const SIGNS = { same: ' ', removed: '−', added: '+' };
const WORDS = { same: '', removed: 'Removed: ', added: 'Added: ' };

/** The lines in which two texts differ, with some around them. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => diffTexts(before, after), [before, after]);
  const count = lines.filter(({ kind }) => kind !== 'same').length;
  if (count === 0) return <p className={styles.equal}>The configurations are equal.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it.
    <section className={styles.diff} tabIndex={0} aria-label="Differences">
      {foldSame(lines).map((part, index) =>
        'left' in part ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity.
          <p key={index} className={styles.left}>
            {plural(part.left, 'unchanged line')}
          </p>
        ) : (
          part.lines.map(({ kind, text, before: old, after: next }) => (
            <div key={`${old} ${next}`} dir="ltr" className={styles.line} data-kind={kind}>
              <span aria-hidden>{old ?? ''}</span>
              <span aria-hidden>{next ?? ''}</span>
              <span aria-hidden>{SIGNS[kind]}</span>
              <code>
                {WORDS[kind] && <span className="visually-hidden">{WORDS[kind]}</span>}
                {text}
              </code>
            </div>
          ))
        ),
      )}
    </section>
  );
}
