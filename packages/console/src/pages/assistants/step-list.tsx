import type { ReactNode } from 'react';
import { CodeBlock } from '../../ui/code-block.tsx';
import styles from './assistants.module.css';
import type { Step } from './setups.ts';

const withCode = (text: string): ReactNode[] =>
  text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay in their order.
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );

/** Steps one after the other, with the texts to copy. */
export const StepList = ({ steps }: { steps: readonly Step[] }) => (
  <ol className={styles.steps}>
    {steps.map(({ instruction, label, code }) => (
      <li key={label}>
        <p>{withCode(instruction)}</p>
        <CodeBlock label={label} code={code} />
      </li>
    ))}
  </ol>
);
