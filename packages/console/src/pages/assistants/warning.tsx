import { TriangleAlert } from 'lucide-react';
import styles from './assistants.module.css';

/** A remark that keeps the person from a setup that cannot work or is unsafe. It is announced when it appears. */
export const Warning = ({ text }: { text: string | undefined }) => (
  <div role="status">
    {text !== undefined && (
      <p className={styles.warning}>
        <TriangleAlert size={16} aria-hidden /> {text}
      </p>
    )}
  </div>
);
