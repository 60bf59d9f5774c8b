import type { MemoryAlert } from '@redpen/client';

export type AlertType = MemoryAlert['alertType'];

export const TYPES: Record<AlertType, string> = {
  anomaly: 'Unusual decisions',
  configuration_drift: 'References that are out of date',
  emerging_standard: 'A new standard',
  standards_drift: 'A standard that is followed less',
};

export const TYPE_NAMES = Object.keys(TYPES) as AlertType[];
