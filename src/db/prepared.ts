import type { Compilable, CompiledQuery, Kysely, RawBuilder } from 'kysely';
import pg from 'pg';
import type { FailureOf } from './result-size-limit.ts';
import type { Db, Tables, Tx } from './tables.ts';

/** A parameter whose value is known only when the query runs. */
class Placeholder {
  readonly #name: string;
  readonly #isJson: boolean;

  constructor(name: string, isJson = false) {
    this.#name = name;
    this.#isJson = isJson;
  }

  asJson(): Placeholder {
    return new Placeholder(this.#name, true);
  }

  valueIn(args: Record<string, unknown>): unknown {
    const value = args[this.#name];
    return this.#isJson ? JSON.stringify(value) : value;
  }

  toJSON(): never {
    throw new Error(`The value of ${this.#name} is not known yet.`);
  }
}

/** The JSON text of a parameter. */
export const jsonParameter = (value: unknown): unknown =>
  value instanceof Placeholder ? value.asJson() : JSON.stringify(value);

/** Names of prepared statements by their SQL. */
const statementNames = new Map<string, string>();

/** The name under which a statement is prepared on each connection; undefined if it is not prepared. */
export const statementNameOf = (text: string): string | undefined => statementNames.get(text);

function nameStatement(text: string): void {
  if (!statementNames.has(text)) statementNames.set(text, `redpen_${statementNames.size}`);
}

/** A prepared query with its arguments, not run yet. */
export interface Statement<Row> {
  run(db: Db): Promise<Row[]>;
}

/** Work that needs several statements where mostly one suffices. */
export const inTransaction = <Row>(work: (tx: Tx) => Promise<Row[]>): Statement<Row> => ({
  run: (db) => (db.isTransaction ? work(db as Tx) : db.transaction().execute(work)),
});

interface Prepared<Args, Row> {
  (db: Db, args: Args): Promise<Row[]>;
  with(args: Args): Statement<Row>;
}

/**
 * A query that is built and compiled once, for paths where building it costs more than running it.
 * `build` gets a placeholder for each argument, and may use it wherever the query takes a value.
 */
export function prepared<Args extends Record<string, unknown>, Row>(
  build: (db: Db, args: Args) => Compilable<Row>,
): Prepared<Args, Row> {
  let compiled: CompiledQuery<Row> | undefined;
  const placeholders = new Proxy({} as Args, {
    get: (_, name) => new Placeholder(String(name)),
    ownKeys() {
      throw new Error('The arguments of a prepared query have to be taken by their names.');
    },
  });
  const run = async (db: Db, args: Args): Promise<Row[]> => {
    if (!compiled) {
      compiled = build(db, placeholders).compile();
      nameStatement(compiled.sql);
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? value.valueIn(args) : value,
    );
    const { rows } = await (db as Kysely<Tables>).executeQuery<Row>({
      ...compiled,
      parameters,
    } as CompiledQuery<Row>);
    return rows;
  };
  return Object.assign(run, { with: (args: Args) => ({ run: (db: Db) => run(db, args) }) });
}

/** Variants of one statement that are prepared. Each costs memory on every connection. */
const MAX_VARIANTS = 8;

/**
 * Like `prepared`, for a query whose text depends on a shape besides its arguments: it is built and compiled once for
 * each shape. If there are more shapes, queries of the later ones are built for each call and not prepared.
 */
export function preparedShapes<Args extends Record<string, unknown>, Shape, Row>(
  build: (db: Db, args: Args, shape: Shape) => RawBuilder<Row>,
): (db: Db, args: Args, shape: Shape) => Promise<Row[]> {
  const known = new Map<string, Prepared<Args, Row>>();
  return async (db, args, shape) => {
    const key = JSON.stringify(shape);
    let query = known.get(key);
    if (!query) {
      if (known.size >= MAX_VARIANTS) return (await build(db, args, shape).execute(db)).rows;
      query = prepared((compiler, placeholders) => ({
        compile: () => build(compiler, placeholders, shape).compile(compiler),
      }));
      known.set(key, query);
    }
    return await query(db, args);
  };
}

/**
 * Runs statements that are built for each call and prepared by their text, for statements that take longer to plan
 * than to run. If the text has more variants, the later ones are not prepared.
 */
export function preparedVariants(): <Row>(db: Db, statement: RawBuilder<Row>) => Promise<Row[]> {
  const variants = new Set<string>();
  return async (db, statement) => {
    const compiled = statement.compile(db);
    if (!variants.has(compiled.sql) && variants.size < MAX_VARIANTS) {
      variants.add(compiled.sql);
      nameStatement(compiled.sql);
    }
    const { rows } = await (db as Kysely<Tables>).executeQuery(compiled);
    return rows;
  };
}

/**
 * Prepares the statements of `prepared` on a connection at their first use. Once the connection was destroyed for a
 * result that is too large, every further statement fails with that error, so that a transaction reports it and not
 * the failed rollback.
 */
export function prepareKnownStatements(
  client: pg.ClientBase,
  { failureOf = () => undefined, canPrepare = true }: { failureOf?: FailureOf; canPrepare?: boolean } = {},
): void {
  const query = client.query.bind(client) as (...request: unknown[]) => unknown;
  client.query = ((text: unknown, values?: unknown[], ...rest: unknown[]) => {
    const name = canPrepare && typeof text === 'string' ? statementNameOf(text) : undefined;
    const reason = failureOf();
    if (reason && rest.length === 0 && typeof values !== 'function') return Promise.reject(reason);
    if (name === undefined || rest.length > 0) return query(text, values, ...rest);
    return new Promise((resolve, reject) => {
      const known = new pg.Query(
        text as string,
        values,
        (error: Error | undefined, result: pg.QueryResult) => (error ? reject(error) : resolve(result)),
      );
      // Set as a property: pg copies the fields of a config object with `text` and `name`, which takes longer than
      // the rest of sending a statement.
      query(Object.assign(known, { name }));
    });
  }) as typeof client.query;
}
