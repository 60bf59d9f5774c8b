import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { plugins } from '../../src/db/driver-settings.ts';
import type { Db, Tables } from '../../src/db/tables.ts';

export interface Captured {
  sql: string;
  parameters: readonly unknown[];
}

/** Wraps a database and records every statement that is sent to it. */
export function capturing(db: Db): { db: Db; queries: Captured[] } {
  const queries: Captured[] = [];
  const bare = db.withoutPlugins();
  const connection: DatabaseConnection = {
    executeQuery<R>(query: CompiledQuery) {
      queries.push({ sql: query.sql, parameters: query.parameters });
      return bare.executeQuery<R>(query as CompiledQuery<R>);
    },
    // biome-ignore lint/correctness/useYield: the interface requires the method, and no list streams.
    async *streamQuery() {
      throw new Error('Nothing streams.');
    },
  };
  const noop = async () => {};
  const driver: Driver = {
    init: noop,
    acquireConnection: async () => connection,
    beginTransaction: () => Promise.reject(new Error('A list opens no transaction.')),
    commitTransaction: noop,
    rollbackTransaction: noop,
    releaseConnection: noop,
    destroy: noop,
  };
  const captured = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (inner) => new PostgresIntrospector(inner),
    },
    plugins: plugins(),
  });
  return { db: captured, queries };
}
