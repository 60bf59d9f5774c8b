import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely';
import pg from 'pg';
import { mapInSlices } from '../lib/threads/in-slices.ts';

/** Parses bigint and numeric values as numbers, and bytea as a Uint8Array. */
export const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC)
      return (text: string) => Number(text);
    if (oid === pg.types.builtins.BYTEA) {
      return (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
    }
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/**
 * Column names are snake case in the database and camel case in TypeScript. Values stay as they are, because keys
 * within jsonb are the caller's own.
 */
class ColumnNames extends CamelCasePlugin {
  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    if (!first) return result;
    // All rows of a result have the columns of the first.
    const columns = Object.keys(first).map((column) => [column, this.camelCase(column)] as const);
    const rows = await mapInSlices(result.rows, (row) => {
      const named: UnknownRow = {};
      for (const [column, name] of columns) named[name] = row[column];
      return named;
    });
    return { ...result, rows };
  }
}

export const plugins = () => [new ColumnNames()];
