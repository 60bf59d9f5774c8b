import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { target: unknown; failureSummary: string }[];
}

interface Options {
  /** The selector of a part of the page. */
  within?: string;
  /** The selector of what is left out. */
  without?: string;
  /** False if targets may be smaller than 24 pixels. */
  checksSizes?: boolean;
}

/** What axe-core finds, as rule, element and what to do. */
export async function violationsOn(
  page: Page,
  { within = ':root', without, checksSizes = true }: Options = {},
): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify({ include: [within], exclude: without ? [without] : [] })}, {
      resultTypes: ['violations'], rules: { 'target-size': { enabled: ${checksSizes} } },
    }).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${JSON.stringify(target)} ${failureSummary}`),
  );
}
