/**
 * Where a table lies on a cluster of database servers:
 *
 * - `distributed`: its rows are spread over the servers by `api_key_id`; rows of one key are on one server.
 * - `reference`: every server has a copy, so that distributed tables can refer to it. Each change is made on all servers.
 * - `local`: on the coordinator alone.
 */
export type Placement = 'distributed' | 'reference' | 'local';

/** Column by which tables are distributed. */
export const KEY_COLUMN = 'api_key_id';

/** Tables of which every server has a copy: tables with an API key refer to the first ones, and all are small. */
const REFERENCE = new Set(['workspaces', 'api_keys', 'api_key_tokens']);

const BY_TRANSACTION = 'is read in the order of transactions, which each server numbers on its own';

/** Tables with API keys in them that stay on the coordinator, with the reason. */
const LOCAL_WITH_KEY: Readonly<Record<string, string>> = {
  audit_log: 'belongs to workspaces, is guarded by triggers, and is chained in one order',
  judgment_deletions: BY_TRANSACTION,
  judgment_vectors: 'refers to judgments',
  judgments: BY_TRANSACTION,
  live_events: 'is numbered in one order for all API keys',
  oauth_codes: 'belongs to accounts, and is found by the hash of a code',
  personal_tokens: 'belongs to accounts, and is found by the hash of a token',
  stored_bytes: 'has a row for each API key, and one statement adds what several keys wrote',
};

/** Says where a table of the service lies, by its columns. */
export function placementOf(table: string, columns: readonly string[]): Placement {
  if (REFERENCE.has(table)) return 'reference';
  return columns.includes(KEY_COLUMN) && !(table in LOCAL_WITH_KEY) ? 'distributed' : 'local';
}
