import { type CompiledQuery, sql } from 'kysely';
import type { Tx } from '../../src/db/tables.ts';
import type { Captured } from './captured-queries.ts';

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

export interface Plan {
  /** Tables that are read by a sequential scan. */
  sequential: string[];
  indexes: string[];
  /** Rows read from tables and indexes, including those that a filter removed. */
  rowsRead: number;
  text: string;
}

/** Runs a captured statement with `explain analyze` and returns its plan. */
export async function planOf(tx: Tx, { sql: text, parameters }: Captured): Promise<Plan> {
  const { rows } = await tx.withoutPlugins().executeQuery<{ 'QUERY PLAN': [{ Plan: Node }] }>({
    ...sql``.compile(tx),
    sql: `explain (analyze, format json) ${text}`,
    parameters,
  } as unknown as CompiledQuery<{ 'QUERY PLAN': [{ Plan: Node }] }>);
  const nodes: Node[] = [];
  const visit = (node: Node) => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  const answer = rows[0]!['QUERY PLAN'] as unknown;
  const plan = (typeof answer === 'string' ? JSON.parse(answer) : answer) as [{ Plan: Node }];
  visit(plan[0].Plan);
  const scans = nodes.filter(
    (node) => node['Relation Name'] !== undefined || node['Index Name'] !== undefined,
  );
  return {
    sequential: nodes
      .filter((node) => node['Node Type'].includes('Seq Scan'))
      .map((node) => node['Relation Name'] ?? ''),
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    rowsRead: scans.reduce(
      (sum, node) =>
        sum +
        node['Actual Loops'] *
          (node['Actual Rows'] +
            (node['Rows Removed by Filter'] ?? 0) +
            (node['Rows Removed by Index Recheck'] ?? 0)),
      0,
    ),
    text: `${text}\n${nodes.map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''} ${node['Index Name'] ?? ''} rows ${node['Actual Rows']} x ${node['Actual Loops']} removed ${node['Rows Removed by Filter'] ?? 0}`).join('\n')}`,
  };
}
