import { appendFileSync } from 'node:fs';

/** One line of the table that `bench/all.ts` writes. */
export interface Figure {
  /** Measured work, such as `comments/add, 32 at once`. */
  name: string;
  value: number;
  unit: '/s' | 'ms' | 's' | 'MB' | '%' | 'kB' | 'times' | 'score' | 'count';
  /** Other measurements of the same run, in the same unit. */
  references?: Record<string, number>;
}

/** Passes a figure on to `bench/all.ts`; without effect in a benchmark that runs alone. */
export function report(figure: Figure): void {
  const file = process.env.FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
