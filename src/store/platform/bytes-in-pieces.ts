import { type RawBuilder, sql } from 'kysely';
import { preparedVariants } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';

/** Largest piece; the driver needs a few milliseconds to decode one from text. */
const PIECE_BYTES = 262_144;

/** Planning takes longer than reading one editor. */
const run = preparedVariants();

interface Piece {
  ofRow: number;
  startsAt: number;
}

interface Columns {
  /** Names of the bytea columns, as in the database. */
  bytes: readonly string[];
  /** Names of all other columns. */
  others: readonly string[];
}

/**
 * Runs a query whose rows may hold large bytea values, and fetches these in pieces: the driver decodes each value
 * synchronously, which would block the event loop. Returns the rows in the order of the query.
 */
export async function withBytesInPieces<Row extends object>(
  db: Db,
  query: RawBuilder<Row>,
  columns: Columns,
): Promise<Row[]> {
  return joinPieces(await run(db, piecesOf(query, columns)), columns);
}

/** The statement of `withBytesInPieces`, whose rows `joinPieces` takes. */
export function piecesOf<Row extends object>(
  query: RawBuilder<Row>,
  { bytes, others }: Columns,
): RawBuilder<Row & Piece> {
  const lengths = bytes.map((column) => sql`octet_length(${sql.ref(column)})`);
  // The other columns come once, with the first piece.
  const once = others.map(
    (column) => sql`case when starts_at = 0 then ${sql.ref(column)} end as ${sql.ref(column)}`,
  );
  const parts = bytes.map(
    (column) =>
      sql`substring(${sql.ref(column)} from starts_at + 1 for ${sql.lit(PIECE_BYTES)}) as ${sql.ref(column)}`,
  );
  // `offset 0` keeps the planner from evaluating the query again for each piece.
  return sql<Row & Piece>`
    select of_row, starts_at, ${sql.join([...once, ...parts])}
    from (select *, row_number() over () as of_row from (${query}) as query offset 0) as whole
    cross join lateral generate_series(0, greatest(${sql.join(lengths)}, 1) - 1, ${sql.lit(PIECE_BYTES)})
      as piece(starts_at)`;
}

export function joinPieces<Row extends object>(pieces: readonly (Row & Piece)[], { bytes }: Columns): Row[] {
  const names = bytes.map((column) => column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()));
  return [...Map.groupBy(pieces, ({ ofRow }) => ofRow)]
    .sort(([a], [b]) => a - b)
    .map(([, piecesOfRow]) => wholeOf(piecesOfRow, names) as Row);
}

function wholeOf(piecesOfRow: readonly (object & Piece)[], names: readonly string[]): object {
  const sorted = piecesOfRow.toSorted((a, b) => a.startsAt - b.startsAt);
  const { ofRow: _, startsAt: __, ...row } = sorted[0]!;
  if (sorted.length === 1) return row;
  const columns = sorted.map((piece): Fields => ({ ...piece }));
  const whole = names.map((name) => {
    const pieces = columns.map((piece) => piece[name]).filter((piece) => piece instanceof Uint8Array);
    return [name, pieces.length === 0 ? null : joined(pieces)];
  });
  return { ...row, ...Object.fromEntries(whole) };
}

/** Joins pieces in a buffer of their own, which can be transferred to a thread. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
