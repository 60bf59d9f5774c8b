import { loadModule, parseSync } from 'libpg-query';
import { Bindings, type Column, type Constant, type Operand } from './bindings.ts';

// biome-ignore lint/suspicious/noExplicitAny: nodes of the parser have a hundred shapes.
type Ast = any;

/** Columns of the tables of the service, by their names. */
export type Schema = ReadonlyMap<string, readonly string[]>;

/** A table that a statement names, at one place. */
export interface NamedTable {
  table: string;
  /** True where rows are inserted. */
  isInserted: boolean;
  /** The columns with one value in all rows that the statement reads or writes of the table, with the value. */
  bound: Record<string, unknown>;
}

/** A table, or what a query in `with` or `from` yields, at one place of a statement. */
interface Relation {
  name: string;
  columns: Column[];
}

interface Scope {
  relations: Relation[];
  around: Scope | undefined;
  /** What queries of `with` yield. */
  queries: ReadonlyMap<string, readonly Output[]>;
}

interface Output {
  name: string;
  from: Operand | undefined;
}

await loadModule();

/**
 * The tables that a statement names, with the columns that it binds to one value: by equality with a parameter, a literal
 * or another column that is bound, or, of a row that is inserted, because the value is given.
 */
export function tablesOf(sql: string, parameters: readonly unknown[], schema: Schema): NamedTable[] {
  const reader = new StatementReader(parameters, schema);
  for (const { stmt } of parseSync(sql).stmts ?? []) reader.read(stmt);
  return reader.named();
}

class StatementReader {
  readonly #parameters: readonly unknown[];
  readonly #schema: Schema;
  readonly #bindings = new Bindings();
  readonly #named: { table: string; isInserted: boolean; columns: readonly Column[] }[] = [];
  /** Each query in an expression is read once. */
  readonly #inner = new Map<Ast, Output[]>();

  constructor(parameters: readonly unknown[], schema: Schema) {
    this.#parameters = parameters;
    this.#schema = schema;
  }

  named(): NamedTable[] {
    const known = this.#bindings.solve();
    return this.#named.map(({ columns, ...named }) => ({
      ...named,
      bound: Object.fromEntries(
        columns.filter((column) => known.has(column)).map((column) => [column.name, known.get(column)]),
      ),
    }));
  }

  read(statement: Ast, around?: Scope): Output[] {
    const { SelectStmt, InsertStmt, UpdateStmt, DeleteStmt } = statement;
    if (SelectStmt) return this.#select(SelectStmt, around);
    if (InsertStmt) return this.#insert(InsertStmt, around);
    if (UpdateStmt) return this.#change(UpdateStmt, UpdateStmt.fromClause, around);
    if (DeleteStmt) return this.#change(DeleteStmt, DeleteStmt.usingClause, around);
    // What no rule here understands counts as unbound.
    for (const { relname } of find(statement, 'relname')) this.#table(relname, relname, this.#scope());
    return [];
  }

  #scope(around?: Scope, withClause?: Ast): Scope {
    const scope: Scope = { relations: [], around, queries: around?.queries ?? new Map() };
    for (const { CommonTableExpr: query } of withClause?.ctes ?? []) {
      const named = (outputs: readonly Output[]) => renamed(outputs, query.aliascolnames);
      const { SelectStmt: select } = query.ctequery;
      if (withClause.recursive && select?.op === 'SETOP_UNION') {
        const first = named(this.#select(select.larg, scope));
        const outputs = first.map(({ name, from }) => {
          const column: Column = { name, scope };
          this.#bindings.follows(column, from);
          return { name, from: column };
        });
        scope.queries = new Map(scope.queries).set(query.ctename, outputs);
        const later = this.#select(select.rarg, scope);
        for (const [index, { from }] of outputs.entries()) this.#bindings.assume(from, later[index]?.from);
      } else {
        const outputs = named(this.read(query.ctequery, scope));
        scope.queries = new Map(scope.queries).set(query.ctename, outputs);
      }
    }
    return scope;
  }

  #select(select: Ast, around?: Scope): Output[] {
    const scope = this.#scope(around, select.withClause);
    if (select.op !== 'SETOP_NONE') {
      const [left, right] = [this.#select(select.larg, scope), this.#select(select.rarg, scope)];
      this.#expressions([select.sortClause, select.limitCount, select.limitOffset], scope);
      return left.map(({ name, from }, index) => {
        const column: Column = { name, scope };
        this.#bindings.follows(column, from, right[index]?.from);
        return { name, from: column };
      });
    }
    if (select.valuesLists) return this.#values(select.valuesLists, scope);
    for (const item of select.fromClause ?? []) this.#from(item, scope);
    this.#conditions(select.whereClause, scope, () => true);
    const { withClause, fromClause, whereClause, ...rest } = select;
    this.#expressions(rest, scope);
    return this.#outputs(select.targetList, scope);
  }

  #values(lists: Ast[], scope: Scope): Output[] {
    this.#expressions(lists, scope);
    const rows: Ast[][] = lists.map(({ List }) => List.items);
    return rows[0]!.map((_, index) => {
      const column: Column = { name: `column${index + 1}`, scope };
      this.#bindings.follows(column, ...rows.map((row) => this.#operand(row[index], scope)));
      return { name: column.name, from: column };
    });
  }

  #insert(insert: Ast, around?: Scope): Output[] {
    const scope = this.#scope(around, insert.withClause);
    const source = insert.selectStmt ? this.read(insert.selectStmt, scope) : [];
    const { relname, alias } = insert.relation;
    const target = this.#table(relname, alias?.aliasname ?? relname, scope, true);
    for (const [index, { ResTarget }] of (insert.cols ?? []).entries()) {
      const column = target.columns.find(({ name }) => name === ResTarget.name);
      if (column) this.#bindings.follows(column, source[index]?.from);
    }
    this.#expressions(insert.returningClause, scope);
    const outputs = this.#outputs(insert.returningClause?.exprs, scope);
    // A row that is in conflict has the key of the row that was to be inserted.
    scope.relations.push({ name: 'excluded', columns: target.columns });
    this.#expressions(insert.onConflictClause, scope);
    return outputs;
  }

  #change(change: Ast, others: Ast[] | undefined, around?: Scope): Output[] {
    const scope = this.#scope(around, change.withClause);
    const { relname, alias } = change.relation;
    this.#table(relname, alias?.aliasname ?? relname, scope);
    for (const item of others ?? []) this.#from(item, scope);
    this.#conditions(change.whereClause, scope, () => true);
    this.#expressions([change.targetList, change.returningClause], scope);
    return this.#outputs(change.returningClause?.exprs, scope);
  }

  #table(table: string, name: string, scope: Scope, isInserted = false): Relation {
    const columns = (this.#schema.get(table) ?? []).map((column): Column => ({ name: column, scope }));
    const relation = { name, columns };
    if (this.#schema.has(table)) this.#named.push({ table, isInserted, columns });
    scope.relations.push(relation);
    return relation;
  }

  /** Adds what stands after `from` to the scope; returns the relations. */
  #from(item: Ast, scope: Scope): Relation[] {
    const { RangeVar, RangeSubselect, RangeFunction, JoinExpr } = item;
    if (JoinExpr) return this.#join(JoinExpr, scope);
    if (RangeVar) {
      const name = RangeVar.alias?.aliasname ?? RangeVar.relname;
      const outputs = RangeVar.schemaname === undefined ? scope.queries.get(RangeVar.relname) : undefined;
      if (outputs) return [this.#derived(name, renamed(outputs, RangeVar.alias?.colnames), scope)];
      return [this.#table(RangeVar.schemaname ? '' : RangeVar.relname, name, scope)];
    }
    if (RangeSubselect) {
      const { alias, subquery } = RangeSubselect;
      const outputs = renamed(this.read(subquery, scope), alias?.colnames);
      return [this.#derived(alias?.aliasname ?? '', outputs, scope)];
    }
    this.#expressions(item, scope);
    const alias = RangeFunction?.alias;
    const names = [
      ...(alias?.colnames ?? []).map(textOf),
      ...(RangeFunction?.coldeflist ?? []).map(({ ColumnDef }: Ast) => ColumnDef.colname),
    ];
    const outputs = names.map((name) => ({ name, from: undefined }));
    return [this.#derived(alias?.aliasname ?? '', outputs, scope)];
  }

  #derived(name: string, outputs: readonly Output[], scope: Scope): Relation {
    const columns = outputs.map(({ name, from }) => {
      const column: Column = { name, scope };
      this.#bindings.follows(column, from);
      return column;
    });
    const relation = { name, columns };
    scope.relations.push(relation);
    return relation;
  }

  #join(join: Ast, scope: Scope): Relation[] {
    const left = this.#from(join.larg, scope);
    const right = this.#from(join.rarg, scope);
    if (join.isNatural) throw new Error('A natural join depends on the columns of both tables.');
    // All rows of the other side are read, also those for which the condition is false.
    const restricted = {
      JOIN_INNER: [...left, ...right],
      JOIN_LEFT: right,
      JOIN_RIGHT: left,
      JOIN_FULL: [],
    }[join.jointype as string]!;
    const reads = (column: Column) => restricted.some(({ columns }) => columns.includes(column));
    for (const name of (join.usingClause ?? []).map(textOf)) {
      const [one, other] = [columnIn(left, name), columnIn(right, name)];
      if (one && other) this.#bindings.equal(one, other, reads);
    }
    this.#conditions(join.quals, scope, reads);
    return [...left, ...right];
  }

  /** Notes what a condition says that is true for all rows, and reads the queries in it. */
  #conditions(condition: Ast, scope: Scope, reads: (column: Column) => boolean): void {
    if (condition === undefined) return;
    this.#expressions(condition, scope);
    for (const [one, other] of this.#equalities(condition, scope)) {
      this.#bindings.equal(one, other, (column) => column.scope === scope && reads(column));
    }
  }

  #equalities(condition: Ast, scope: Scope): [Operand, Operand][] {
    const { BoolExpr, A_Expr, SubLink } = condition;
    if (BoolExpr?.boolop === 'AND_EXPR') {
      return BoolExpr.args.flatMap((each: Ast) => this.#equalities(each, scope));
    }
    if (BoolExpr?.boolop === 'OR_EXPR') {
      const [first, ...others] = BoolExpr.args.map((each: Ast) => this.#equalities(each, scope));
      return first.filter((pair: Operand[]) =>
        others.every((arm: Operand[][]) => arm.some((each) => isSame(pair, each))),
      );
    }
    const isEqual = A_Expr?.name?.at(-1)?.String.sval === '=';
    if (isEqual && A_Expr.kind === 'AEXPR_OP') return this.#pairs(A_Expr.lexpr, A_Expr.rexpr, scope);
    if (isEqual && A_Expr.kind === 'AEXPR_IN' && A_Expr.rexpr.List.items.length === 1) {
      return this.#pairs(A_Expr.lexpr, A_Expr.rexpr.List.items[0], scope);
    }
    if (SubLink?.subLinkType !== 'ANY_SUBLINK' || SubLink.operName) return [];
    const tested: Ast[] = SubLink.testexpr.RowExpr?.args ?? [SubLink.testexpr];
    const outputs = this.#inner.get(SubLink)!;
    return tested.flatMap((each, index) => pairOf(this.#operand(each, scope), outputs[index]?.from));
  }

  #pairs(one: Ast, other: Ast, scope: Scope): [Operand, Operand][] {
    if (one.RowExpr && other.RowExpr) {
      return one.RowExpr.args.flatMap((each: Ast, index: number) =>
        this.#pairs(each, other.RowExpr.args[index], scope),
      );
    }
    return pairOf(this.#operand(one, scope), this.#operand(other, scope));
  }

  #operand(expression: Ast, scope: Scope): Operand | undefined {
    const { ColumnRef, ParamRef, A_Const, TypeCast, CollateClause, SubLink } = expression ?? {};
    if (TypeCast ?? CollateClause) return this.#operand((TypeCast ?? CollateClause).arg, scope);
    if (ParamRef) return { value: this.#parameters[ParamRef.number - 1] };
    if (A_Const) return constantOf(A_Const);
    if (SubLink?.subLinkType === 'EXPR_SUBLINK') return this.#inner.get(SubLink)?.[0]?.from;
    return ColumnRef && resolve(ColumnRef.fields, scope);
  }

  /** Reads the queries within expressions. */
  #expressions(node: Ast, scope: Scope): void {
    if (Array.isArray(node)) for (const each of node) this.#expressions(each, scope);
    if (node === null || typeof node !== 'object' || Array.isArray(node)) return;
    const link = node.SubLink;
    if (link) {
      this.#expressions(link.testexpr, scope);
      if (!this.#inner.has(link)) this.#inner.set(link, this.read(link.subselect, scope));
      return;
    }
    for (const each of Object.values(node)) this.#expressions(each, scope);
  }

  #outputs(targets: Ast[] | undefined, scope: Scope): Output[] {
    return (targets ?? []).flatMap(({ ResTarget: { name, val } }): Output[] => {
      const fields: Ast[] = val.ColumnRef?.fields ?? [];
      if (fields.at(-1)?.A_Star) {
        const of = fields.length > 1 ? fields[0].String.sval : undefined;
        const relations = scope.relations.filter((each) => of === undefined || each.name === of);
        return relations.flatMap(({ columns }) => columns.map((from) => ({ name: from.name, from })));
      }
      return [{ name: name ?? nameOf(val), from: this.#operand(val, scope) }];
    });
  }
}

const textOf = (node: Ast): string => node.String.sval;

const pairOf = (one: Operand | undefined, other: Operand | undefined): [Operand, Operand][] =>
  one && other ? [[one, other]] : [];

const isSame = (pair: readonly Operand[], other: readonly Operand[]): boolean =>
  pair.every((operand, index) => {
    const another = other[index]!;
    return (
      operand === another || ('value' in operand && 'value' in another && operand.value === another.value)
    );
  });

const renamed = (outputs: readonly Output[], names: Ast[] = []): Output[] =>
  outputs.map(({ name, from }, index) => ({ name: names[index]?.String.sval ?? name, from }));

const columnIn = (relations: readonly Relation[], name: string): Column | undefined =>
  relations.flatMap(({ columns }) => columns).find((column) => column.name === name);

function resolve(fields: Ast[], scope: Scope | undefined): Column | undefined {
  if (scope === undefined) return undefined;
  const name = fields.at(-1).String?.sval;
  const of = fields.length > 1 ? fields.at(-2).String.sval : undefined;
  const relations = scope.relations.filter((each) => of === undefined || each.name === of);
  if (of !== undefined && relations.length > 0) return columnIn(relations, name);
  return columnIn(relations, name) ?? resolve(fields, scope.around);
}

/** The name that PostgreSQL gives an output without one. */
const nameOf = (expression: Ast): string =>
  expression.ColumnRef?.fields.at(-1).String?.sval ??
  (expression.TypeCast ? nameOf(expression.TypeCast.arg) : '?');

function constantOf({ sval, ival, fval, boolval, isnull }: Ast): Constant | undefined {
  if (isnull) return undefined;
  return { value: sval?.sval ?? ival?.ival ?? fval?.fval ?? boolval?.boolval ?? 0 };
}

/** All objects in a tree that have a field. */
function find(node: Ast, field: string): Ast[] {
  if (node === null || typeof node !== 'object') return [];
  const inner = Object.values(node).flatMap((each) => find(each, field));
  return field in node ? [node, ...inner] : inner;
}
