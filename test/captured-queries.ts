import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { plugins } from '../src/db/driver-settings.ts';
import type { Db, Tables } from '../src/db/tables.ts';

export interface Captured {
  sql: string;
  parameters: readonly unknown[];
}

/** A database that is the given one and writes down every statement that goes to it. */
export function capturing(db: Db): { db: Db; queries: Captured[] } {
  const queries: Captured[] = [];
  const bare = db.withoutPlugins();
  const connection: DatabaseConnection = {
    executeQuery<R>(query: CompiledQuery) {
      queries.push({ sql: query.sql, parameters: query.parameters });
      return bare.executeQuery<R>(query as CompiledQuery<R>);
    },
    // biome-ignore lint/correctness/useYield: a stream is part of the interface and used by nobody.
    async *streamQuery() {
      throw new Error('Nothing streams.');
    },
  };
  const nothing = async () => {};
  const driver: Driver = {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: () => Promise.reject(new Error('A list opens no transaction.')),
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
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
