import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Db, Tables } from './tables.ts';

/** Stands for a value that is known only when the query runs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Texts that PostgreSQL is asked to plan once a connection, with the name it shall know each by. */
const statementNames = new Map<string, string>();

/** Under which name a statement is prepared on its connection; undefined for one that is not. */
export const statementNameOf = (text: string): string | undefined => statementNames.get(text);

/** A prepared query with its arguments, not run yet. */
export interface Statement<Row> {
  run(db: Db): Promise<Row[]>;
}

interface Prepared<Args, Row> {
  (db: Db, args: Args): Promise<Row[]>;
  with(args: Args): Statement<Row>;
}

/**
 * A query that is built and compiled once, for paths where building it costs more than running it.
 * `build` gets a stand-in for each argument, and may use each wherever the query takes a value.
 */
export function prepared<Args extends Record<string, unknown>, Row>(
  build: (db: Db, args: Args) => Compilable<Row>,
): Prepared<Args, Row> {
  let compiled: CompiledQuery<Row> | undefined;
  const standIns = new Proxy({} as Args, { get: (_, name) => new Placeholder(String(name)) });
  const run = async (db: Db, args: Args): Promise<Row[]> => {
    if (!compiled) {
      compiled = build(db, standIns).compile();
      statementNames.set(compiled.sql, `redpen_${statementNames.size}`);
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? args[value.name] : value,
    );
    const { rows } = await (db as Kysely<Tables>).executeQuery<Row>({
      ...compiled,
      parameters,
    } as CompiledQuery<Row>);
    return rows;
  };
  return Object.assign(run, { with: (args: Args) => ({ run: (db: Db) => run(db, args) }) });
}
