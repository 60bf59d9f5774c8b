import type { PageContext, PageTask } from '../../src/review/core/execution-strategy.ts';
import type { FetchInput } from '../../src/review/gather/gather-strategy.ts';
import { stagedModels } from './model-stage.ts';

const unexpected = async (): Promise<never> => {
  throw new Error('Unexpected call: this test replaces no such dependency.');
};

/** The task of a page, for an agent without any other settings. */
export const bareTask: Omit<PageTask, 'url'> = {
  deviceType: 'desktop',
  instructions: '',
  execution: {},
  wishes: [],
  values: {},
  gathered: [],
  memory: [],
};

/** A context in which every call that would leave the process throws, unless a test replaces it. */
export const bareContext: Omit<PageContext, 'signal'> = {
  fetch: unexpected,
  browser: { withPage: unexpected, close: async () => {} },
  models: stagedModels,
  connectMcp: unexpected,
  browserAgent: { run: unexpected, close: async () => {} },
  budget: { left: () => 1_000_000, spend: () => {} },
  screener: { screen: (text) => text, redact: (text) => text, clean: (data) => data, injections: [] },
  storeArtifact: unexpected,
  once: (_key, make) => make(),
  savedWords: async () => ({ site: '', own: [] }),
  log: () => {},
};

/** The input of a fetch strategy, without its URL, options and fetch functions. */
export const bareFetchInput: Pick<FetchInput<unknown>, 'values' | 'deviceType' | 'lighthouse' | 'log'> = {
  values: {},
  deviceType: 'desktop',
  lighthouse: unexpected,
  log: () => {},
};
