import { sql } from 'kysely';
import type { Database } from '../../db/connections/connect.ts';
import {
  citusVersion,
  type DistributionPlan,
  planDistribution,
  type Refusal,
} from '../../db/distribution/plan-distribution.ts';
import type { Db } from '../../db/tables.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { table } from '../terminal/table.ts';

const WITHOUT_CITUS = `This database has no Citus, so its tables stay on one server. Install the extension on the server of
DATABASE_URL, and run there: create extension citus
`;

const UNFINISHED = 'The service does not run on a cluster yet; docs/scaling.md lists what is missing.';

interface Options {
  dryRun?: boolean;
}

/**
 * Spreads the tables over the servers of a Citus cluster, by API key. With `dryRun`, it only prints the statements. It uses
 * one connection, because Citus is set up for the session, without a timeout, because the rows of a table are copied at once.
 */
export const distributeTables = (
  { withoutTimeout }: Pick<Database, 'withoutTimeout'>,
  { dryRun = false }: Options,
): Promise<Outcome> =>
  withoutTimeout(async (db) => {
    const version = await citusVersion(db);
    if (version === undefined) return { output: WITHOUT_CITUS, exitCode: 1 };
    const plan = await planDistribution(db, version);
    if (dryRun) {
      const output = printPlan(plan) + printRefusals(plan.refusals);
      return { output, exitCode: plan.refusals.length > 0 ? 1 : 0, isAnswer: true };
    }
    if (plan.refusals.length > 0) {
      return { output: `${printRefusals(plan.refusals)}Nothing was changed.\n`, exitCode: 1 };
    }
    return await carryOut(db, plan);
  }, new AbortController().signal);

async function carryOut(db: Db, { settings, steps, cleaning, local }: DistributionPlan): Promise<Outcome> {
  for (const statement of settings) await sql.raw(statement).execute(db);
  let distributed = 0;
  for (const { table: name, statement } of steps) {
    try {
      await sql.raw(statement).execute(db);
    } catch (error) {
      const output = `${name}: ${(error as Error).message}
The ${distributed} tables before it are in place. Once this is mended, run the command again; it goes on here.\n`;
      return { output, exitCode: 1 };
    }
    distributed += 1;
  }
  for (const statement of cleaning) await sql.raw(statement).execute(db);
  const output =
    distributed === 0
      ? 'All tables are in place already.\n'
      : `${distributed} tables were placed on the cluster; ${local.length} stay on the coordinator.\n${UNFINISHED}\n`;
  return { output, exitCode: 0 };
}

const printPlan = ({ settings, steps, cleaning, done, local }: DistributionPlan): string =>
  [
    ...[...settings, ...steps.map(({ statement }) => statement), ...cleaning].map(
      (statement) => `${statement};`,
    ),
    `-- ${done.length} tables are in place already; on the coordinator stay: ${local.join(', ')}.`,
    `-- ${UNFINISHED}`,
    '',
  ].join('\n');

function printRefusals(refusals: readonly Refusal[]): string {
  if (refusals.length === 0) return '';
  const rows = refusals.map(({ table: name, what, why }) => [name || '-', what, why]);
  const count = refusals.length === 1 ? 'one thing' : `${refusals.length} things`;
  return `Citus refuses ${count} in the schema:\n\n${table([['TABLE', 'WHAT', 'WHY'], ...rows])}\n`;
}
