import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { within } from '../../../lib/time.ts';
import { inIsolatedWorld, type World } from './isolated-worlds.ts';

/** A frame whose own page is busy must not hold up the rest. */
const FRAME_TIMEOUT_MS = 5000;
const MAX_FRAMES = 50;

/** As axe-core has it, apart from the nodes of rules that passed, which are not told. */
export interface AxeResults {
  violations: AxeRule[];
  incomplete: AxeRule[];
  /** How many rules found nothing to complain of. */
  passes: number;
}

export interface AxeRule {
  id: string;
  /** `minor`, `moderate`, `serious` or `critical`. */
  impact: string | null;
  help: string;
  description: string;
  helpUrl: string;
  tags: string[];
  /** How many nodes there are, of which `nodes` may hold only the first. */
  count: number;
  nodes: AxeNode[];
}

export interface AxeNode {
  impact: string | null;
  /** One step for each frame on the way; a step of several selectors leads through shadow roots. */
  target: (string | string[])[];
  html: string;
  failureSummary: string;
}

export interface AxeOptions {
  runOnly?: { type: 'tag'; values: string[] };
  rules?: Record<string, { enabled: boolean }>;
}

/** Runs axe-core in the page and its frames; a frame that does not answer counts as not tested, as axe has it. */
export const runAxe = (page: Page, options: AxeOptions, limits: { maxNodes: number }): Promise<AxeResults> =>
  inIsolatedWorld(page, async (world) => {
    await world.evaluate(await source());
    const settings = JSON.stringify({
      ...options,
      // What a page loads along is there by now, and media may never come; one rule reads sheets of other hosts.
      preload: options.rules?.['css-orientation-lock']?.enabled ?? false,
      resultTypes: ['violations', 'incomplete'],
    });
    const trim = (results: string) =>
      `${results}.then((results) => (${trimResults})(results, ${limits.maxNodes}))`;
    if (page.frames().length === 1) return world.evaluate(trim(`axe.run(document, ${settings})`));
    const partials = await runInFrames(world, 'document', settings, { frames: MAX_FRAMES });
    return world.evaluate(trim(`axe.finishRun(${JSON.stringify(partials)}, ${settings})`));
  });

interface Partial {
  partial: unknown;
  frames: { frameSelector: string[]; frameContext: unknown }[];
}

/** The parts of the result in the order in which axe puts them together: each frame before those within it. */
async function runInFrames(
  world: World,
  context: string,
  settings: string,
  budget: { frames: number },
): Promise<unknown[]> {
  const { partial, frames } = await world.evaluate<Partial>(`(${runPartial})(axe, ${context}, ${settings})`);
  const partials = [partial];
  for (const { frameSelector, frameContext } of frames) {
    // A frame may go away, or never answer, while the page is read; it then has no results.
    const readFrame = async () => {
      const inner = await world.within(`axe.utils.shadowSelect(${JSON.stringify(frameSelector)})`);
      if (!inner) return [null];
      await inner.evaluate(await source());
      return runInFrames(inner, JSON.stringify(frameContext), settings, budget);
    };
    budget.frames -= 1;
    const results =
      budget.frames < 0
        ? [null]
        : await within(
            FRAME_TIMEOUT_MS,
            readFrame().catch(() => [null]),
            [null],
          );
    partials.push(...results);
  }
  return partials;
}

let loading: Promise<string> | undefined;

/**
 * The program as one expression. A page's clock may stand still, so what axe-core only puts off goes on without
 * it, and no element of the page that is named like a module system's globals is mistaken for one.
 */
function source(): Promise<string> {
  loading ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8').then(
    (program) => `(() => {
      const define = undefined, module = undefined, exports = undefined;
      const setTimeout = (run, ms, ...rest) =>
        ms > 1 ? globalThis.setTimeout(run, ms, ...rest) : void Promise.resolve().then(() => run(...rest));
      ${program}
    })()`,
  );
  return loading;
}

// What follows runs in the page and refers to nothing outside itself.

interface Axe {
  runPartial(context: unknown, options: unknown): Promise<{ frames: unknown[] }>;
  utils: { getFrameContexts(context: unknown, options: unknown): Partial['frames'] };
  teardown(): void;
}

async function runPartial(axe: Axe, context: unknown, options: unknown): Promise<Partial> {
  const partial = await axe.runPartial(context, options);
  if (partial.frames.length === 0) return { partial, frames: [] };
  const frames = axe.utils.getFrameContexts(context, options);
  axe.teardown();
  return { partial, frames };
}

function trimResults(
  results: { violations: AxeRule[]; incomplete: AxeRule[]; passes: unknown[] },
  maxNodes: number,
): AxeResults {
  const trim = ({ id, impact, help, description, helpUrl, tags, nodes }: AxeRule): AxeRule => ({
    id,
    impact,
    help,
    description,
    helpUrl,
    tags,
    count: nodes.length,
    nodes: nodes.slice(0, maxNodes).map((node) => ({
      impact: node.impact,
      target: node.target,
      html: node.html,
      failureSummary: node.failureSummary,
    })),
  });
  return {
    violations: results.violations.map(trim),
    incomplete: results.incomplete.map(trim),
    passes: results.passes.length,
  };
}
