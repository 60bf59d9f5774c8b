/** A value that a statement compares with: of a parameter or a literal. */
export interface Constant {
  value: unknown;
}

/** A column of a relation, at one place of a statement where the relation is named. */
export interface Column {
  name: string;
  /** The query that names the relation. Conditions of a query say nothing about the rows of the query around it. */
  scope: object;
}

export type Operand = Column | Constant;

const isConstant = (operand: Operand): operand is Constant => 'value' in operand;

/** What a statement says about the values of columns. */
export class Bindings {
  readonly #rules: { to: Column; from: readonly (Operand | undefined)[] }[] = [];
  readonly #assumed: { column: Column; arm: Operand | undefined }[] = [];

  /** Each value of the column is a value of one of `from`, as after `union`. */
  follows(to: Column, ...from: readonly (Operand | undefined)[]): void {
    this.#rules.push({ to, from });
  }

  /** The rows for which both are equal are all that a query reads of those relations for which `reads` is true. */
  equal(one: Operand, other: Operand, reads: (column: Column) => boolean): void {
    if (!isConstant(one) && reads(one)) this.follows(one, other);
    if (!isConstant(other) && reads(other)) this.follows(other, one);
  }

  /** A recursive part of a query yields nothing else in the column than the part before. */
  assume(column: Column, arm: Operand | undefined): void {
    this.#assumed.push({ column, arm });
  }

  /** The columns that have one value in all rows that the statement reads or writes. */
  solve(): Map<Column, unknown> {
    const unbound = new Set<Column>();
    for (;;) {
      const known = this.#solveWithout(unbound);
      const wrong = this.#assumed.filter(
        ({ column, arm }) => known.has(column) && valueIn(known, arm)?.value !== known.get(column),
      );
      if (wrong.length === 0) return known;
      for (const { column } of wrong) unbound.add(column);
    }
  }

  #solveWithout(unbound: ReadonlySet<Column>): Map<Column, unknown> {
    const known = new Map<Column, unknown>();
    for (let before = -1; before < known.size; ) {
      before = known.size;
      for (const { to, from } of this.#rules) {
        const [first, ...others] = from.map((operand) => valueIn(known, operand));
        if (first === undefined || known.has(to) || unbound.has(to)) continue;
        if (others.every((each) => each?.value === first.value)) known.set(to, first.value);
      }
    }
    return known;
  }
}

function valueIn(known: ReadonlyMap<Column, unknown>, operand: Operand | undefined): Constant | undefined {
  if (operand === undefined || isConstant(operand)) return operand;
  return known.has(operand) ? { value: known.get(operand) } : undefined;
}
