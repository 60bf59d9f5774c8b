import type { ReactNode } from 'react';
import styles from './stack.module.css';

/** Things below each other. */
export const Stack = ({ children }: { children: ReactNode }) => (
  <div className={styles.stack}>{children}</div>
);

/** Things beside each other, which wrap. `isTight` keeps them in one line, `isLow` aligns them with the foot of a field. */
export const Row = ({
  children,
  isTight,
  isLow,
}: {
  children: ReactNode;
  isTight?: boolean;
  isLow?: boolean;
}) => (
  <div className={[styles.row, isTight && styles.tight, isLow && styles.low].filter(Boolean).join(' ')}>
    {children}
  </div>
);

/** Fields beside each other where there is room. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
);

/** Fields that belong together, which can be disabled as one. Without a visible name, `legend` is not given. */
export const FieldGroup = ({
  legend,
  isDisabled,
  children,
}: {
  legend?: string;
  isDisabled?: boolean;
  children: ReactNode;
}) => (
  <fieldset className={styles.fields} disabled={isDisabled ?? false}>
    {legend && <legend>{legend}</legend>}
    {children}
  </fieldset>
);

/** A remark in small letters. */
export const Note = ({ children }: { children: ReactNode }) => <p className={styles.note}>{children}</p>;

/** Names and their values. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles.facts}>
    {facts.map(([name, value]) => (
      <FactRow key={name} name={name} value={value} />
    ))}
  </dl>
);

const FactRow = ({ name, value }: { name: string; value: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
