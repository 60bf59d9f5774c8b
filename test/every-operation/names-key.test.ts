import { describe, expect, test } from 'vitest';
import { KEY_COLUMN, placementOf } from '../../src/db/distribution/placement.ts';
import { statementsOf } from '../routing/captured-statements.ts';
import { isDistributed, schemaOfService } from '../routing/service-schema.ts';
import { type NamedTable, type Schema, tablesOf } from '../routing/statement-tables.ts';
import { distinct } from './operations.ts';
import { ask, runAndRestore, sharedStage, validBody } from './validate.ts';

interface Exception {
  /** A statement may name the table if it binds one of these columns. */
  by: readonly string[];
  why: string;
}

/**
 * Tables that a statement may name without an API key or a workspace. None of them is distributed, so any server of a
 * cluster can find their rows.
 */
const EXCEPTIONS: Record<string, Exception> = {
  accounts: {
    by: ['accounts.account_id', 'sessions.session_hash', 'members.workspace_id'],
    why: 'a person may be a member of several workspaces',
  },
  api_keys: { by: ['members.account_id'], why: 'a person sees the API keys of all their workspaces' },
  members: { by: ['members.account_id'], why: 'a person may be a member of several workspaces' },
  oauth_codes: { by: ['oauth_codes.account_id'], why: 'is removed with the account' },
  personal_tokens: { by: ['personal_tokens.account_id'], why: 'is removed with the account' },
  workspaces: {
    by: ['workspaces.owner_key', 'members.account_id'],
    why: 'an address or a person may own several workspaces',
  },
};

/** Tables that only background work and sums over a workspace use, in statements about several API keys. */
const OF_SEVERAL_KEYS: Record<string, string> = {
  stored_bytes: 'what several API keys wrote within seconds is added by one statement',
};

/** The tables of a statement, with rows of tenants, that it does not bind to one owner. */
function unbound(tables: readonly NamedTable[], schema: Schema): string[] {
  const binds = ({ bound }: NamedTable, column: string) =>
    bound[column] !== undefined && bound[column] !== null;
  const bindings = new Set(
    tables.flatMap((each) => Object.keys(each.bound).map((column) => `${each.table}.${column}`)),
  );
  return tables.flatMap((each) => {
    const { table, isInserted } = each;
    if (isDistributed(table, schema)) return binds(each, KEY_COLUMN) ? [] : [table];
    const owners = [KEY_COLUMN, 'workspace_id'].filter((column) => schema.get(table)!.includes(column));
    const isFound =
      owners.length === 0 ||
      owners.some((column) => binds(each, column)) ||
      EXCEPTIONS[table]?.by.some((column) => bindings.has(column)) ||
      table in OF_SEVERAL_KEYS ||
      // Entries are inserted from JSON, which holds their workspace.
      (table === 'audit_log' && isInserted);
    return isFound ? [] : [table];
  });
}

const across = new Set<string>();
let statementCount = 0;

describe.each(distinct)('$path', (operation) => {
  test('names one API key for each table with rows of API keys, in each statement', async () => {
    const stage = await sharedStage();
    const schema = await schemaOfService();
    const body = await validBody(operation, stage);
    const [statements] = await runAndRestore(stage, () =>
      statementsOf(async () => expect((await ask(operation, stage.a, body)).status).toBe(200)),
    );
    for (const { sql, parameters } of statements) {
      const tables = tablesOf(sql, parameters, schema);
      expect(unbound(tables, schema), sql).toEqual([]);
      const distributed = tables.filter(({ table }) => isDistributed(table, schema));
      expect(new Set(distributed.map(({ bound }) => bound[KEY_COLUMN])).size, sql).toBeLessThan(2);
      const local = tables.filter(({ table }) => placementOf(table, schema.get(table)!) === 'local');
      if (distributed.length > 0 && local.length > 0) {
        across.add(`${operation.path}: ${[...new Set(local.map(({ table }) => table))].sort().join(', ')}`);
      }
      statementCount += 1;
    }
  });
});

describe('of all operations', () => {
  // Citus may refuse these. A new one needs a reason.
  test('these need the coordinator and another server in one statement', () => {
    expect([...across].sort()).toMatchInlineSnapshot(`
      [
        "/v2/agents/create: audit_log",
        "/v2/commentannotations/add: judgments",
        "/v2/commentannotations/comments/add: judgments",
        "/v2/commentannotations/comments/update: audit_log, judgment_vectors, judgments",
        "/v2/commentannotations/comments/update: judgments",
        "/v2/commentannotations/update: audit_log, judgment_vectors, judgments",
        "/v2/commentannotations/update: judgments",
        "/v2/memory/alerts/list: judgments",
        "/v2/memory/ask: judgments",
        "/v2/memory/consolidate: judgments",
        "/v2/memory/judgments/backfill: judgments",
        "/v2/memory/patterns/get: judgments",
      ]
    `);
  });

  test('hundreds of statements were looked at', () => {
    expect(statementCount).toBeGreaterThan(distinct.length);
  });
});
