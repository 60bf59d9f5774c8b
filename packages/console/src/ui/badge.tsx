import type { Severity } from '@redpen/client';
import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type Tone = 'neutral' | 'good' | 'bad' | 'warn' | 'busy';

export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={`${styles.badge} ${tone === 'neutral' ? '' : styles[tone]}`}>{children}</span>
);

/** The mark of what an AI assistant did for a person. */
export const AssistantBadge = ({ name }: { name: string }) => <Badge>by an assistant: {name}</Badge>;

/** A severity by shape, word and color, so that no one of them is needed. */
export const SeverityBadge = ({ severity, count }: { severity: Severity; count?: number }) => (
  <span className={`${styles.badge} ${styles[severity] ?? ''}`}>
    <span className={`${styles.shape} ${styles[`shape-${severity}`]}`} aria-hidden />
    {count === undefined ? severity.charAt(0).toUpperCase() + severity.slice(1) : `${count} ${severity}`}
  </span>
);
