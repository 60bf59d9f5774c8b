import styles from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

export const CodeBlock = ({
  code,
  label,
  isLabelShown,
}: {
  code: string;
  label: string;
  /** For blocks whose content does not say what it is, such as an id beside a token. */
  isLabelShown?: boolean;
}) => (
  <div className={styles.labelled}>
    {isLabelShown && (
      <span className={styles.label} aria-hidden>
        {label}
      </span>
    )}
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
  </div>
);
