import type { Severity } from '@redpen/client';

/** From the gravest to the least. */
export const SEVERITIES = [
  'critical',
  'high',
  'medium',
  'low',
  'info',
] as const satisfies readonly Severity[];

/** Smaller is graver. */
export const rankOf = (severity: Severity): number => SEVERITIES.indexOf(severity);

export const isSeverity = (value: unknown): value is Severity => SEVERITIES.includes(value as Severity);
