import { CamelCasePlugin } from 'kysely';
import pg from 'pg';

/** How values come from PostgreSQL: whole numbers of 64 bits as numbers, bytes as a Uint8Array. */
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

// jsonb holds the caller's own keys, which must not be renamed.
export const plugins = () => [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
