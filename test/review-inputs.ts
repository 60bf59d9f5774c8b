import type { PageContext, PageTask } from '../src/review/core/execution-strategy.ts';
import type { FetchInput } from '../src/review/gather/gather-strategy.ts';
import { stagedModels } from './model-stage.ts';

const unasked = async (): Promise<never> => {
  throw new Error('This test does not reach so far outside.');
};

/** A task about a page, of an agent that says nothing else. */
export const bareTask: Omit<PageTask, 'url'> = {
  deviceType: 'desktop',
  instructions: '',
  execution: {},
  wishes: [],
  values: {},
  gathered: [],
  memory: [],
};

/** A context in which nothing leaves the process but what a test puts in. */
export const bareContext: Omit<PageContext, 'signal'> = {
  fetch: unasked,
  browser: { withPage: unasked, close: async () => {} },
  models: stagedModels,
  connectMcp: unasked,
  browserAgent: { run: unasked, close: async () => {} },
  budget: { left: () => 1_000_000, spend: () => {} },
  screener: { screen: (text) => text, redact: (text) => text, injections: [] },
  storeArtifact: unasked,
  once: (_key, make) => make(),
  log: () => {},
};

/** What a fetch strategy is given beside its URL, its options and its way out. */
export const bareFetchInput: Pick<FetchInput<unknown>, 'values' | 'deviceType' | 'lighthouse' | 'log'> = {
  values: {},
  deviceType: 'desktop',
  lighthouse: unasked,
  log: () => {},
};
