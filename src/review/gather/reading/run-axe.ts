import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { inFrameTime } from './inner-frames.ts';
import { inIsolatedWorld, type World } from './isolated-worlds.ts';

const MAX_FRAMES = 50;

/** Results of axe-core without the nodes of rules that passed. */
export interface AxeResults {
  violations: AxeRule[];
  incomplete: AxeRule[];
  /** Number of rules that the page keeps. */
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
  /** Number of all nodes; `nodes` may have only the first of them. */
  count: number;
  nodes: AxeNode[];
}

export interface AxeNode {
  impact: string | null;
  /** A step for each frame on the way to the node; a step of several selectors passes through shadow roots. */
  target: (string | string[])[];
  html: string;
  failureSummary: string;
}

export interface AxeOptions {
  runOnly?: { type: 'tag'; values: string[] };
  rules?: Record<string, { enabled: boolean }>;
}

/** Runs axe-core in the page and its frames. A frame that does not answer counts as not tested, as in axe-core. */
export const runAxe = (page: Page, options: AxeOptions, limits: { maxNodes: number }): Promise<AxeResults> =>
  inIsolatedWorld(page, async (world) => {
    await world.evaluate(await source());
    const settings = JSON.stringify({
      ...options,
      // The page is loaded by now, and media may never arrive. One rule needs the stylesheets of other hosts.
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

/** Partial results in the order that `axe.finishRun` expects: each frame before its inner frames. */
async function runInFrames(
  world: World,
  context: string,
  settings: string,
  budget: { frames: number },
): Promise<unknown[]> {
  const { partial, frames } = await world.evaluate<Partial>(`(${runPartial})(axe, ${context}, ${settings})`);
  const partials = [partial];
  for (const { frameSelector, frameContext } of frames) {
    const within = async () => {
      const inner = await world.within(`axe.utils.shadowSelect(${JSON.stringify(frameSelector)})`);
      if (!inner) return [null];
      await inner.evaluate(await source());
      return runInFrames(inner, JSON.stringify(frameContext), settings, budget);
    };
    budget.frames -= 1;
    const results = budget.frames < 0 ? undefined : await inFrameTime(within());
    partials.push(...(results ?? [null]));
  }
  return partials;
}

let loading: Promise<string> | undefined;

/**
 * Source of axe-core as one expression. Replaces short timers, since the clock of the page may be stopped, and hides
 * elements of the page that are named like the globals of module systems.
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

// The functions below run in the page, so they must not refer to anything outside of themselves.

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
