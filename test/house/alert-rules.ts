import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { AlertRule } from '../../src/roles/docs/print-docs.ts';

const FILE = join(import.meta.dirname, '../../integrations/prometheus/alerts.yaml');

interface RuleFile {
  groups: { name: string; rules: (AlertRule & { labels: { severity: string } })[] }[];
}

/** The rules of integrations/prometheus/alerts.yaml. */
export const readAlerts = () =>
  (parse(readFileSync(FILE, 'utf8')) as RuleFile).groups.flatMap(({ rules }) => rules);
