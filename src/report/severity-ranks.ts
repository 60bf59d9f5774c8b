import type { Severity } from '../shapes/agents/execution.ts';

/** The place of each severity, from the gravest. Browsers use it, which get no schemas. */
export const SEVERITY_RANKS: Readonly<Record<Severity, number>> = {
  critical: 0,
  high: 1,
  medium: 2,
  low: 3,
  info: 4,
};
