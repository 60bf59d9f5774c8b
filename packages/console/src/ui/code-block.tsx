import styles from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

export const CodeBlock = ({ code, label }: { code: string; label: string }) => (
  <div className={styles.block}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it. */}
    {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as one. */}
    <div role="group" tabIndex={0} aria-label={label}>
      <pre dir="ltr">
        <code>{code}</code>
      </pre>
    </div>
    <div className={styles.copy}>
      <CopyButton text={code} name={`Copy ${label}`} />
    </div>
  </div>
);
