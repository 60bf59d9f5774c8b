import type { Page } from 'playwright-core';
import type { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import type { LoadedPage, View } from '../../outside/browser/browser.ts';
import type { Lighthouse } from '../../outside/lighthouse/lighthouse-report.ts';
import type { PromptPart } from '../../outside/models/models.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import type { FetchText } from './requests/fetch-text.ts';

export interface FetchInput<Options> {
  url: string;
  options: Options;
  fetch: SafeFetch;
  fetchText: FetchText;
  /** Values of templates: each variable by its name, `variables` and `userContext`. */
  values: Fields;
  deviceType: DeviceType;
  lighthouse: Lighthouse;
  /** Tenant for which responses may be cached; nothing is cached without it. */
  cacheScope?: string | undefined;
  log(line: LogLine): void;
  signal: AbortSignal;
}

export interface PageInput<Options> {
  url: string;
  deviceType: DeviceType;
  options: Options;
  page: Page;
  loaded: LoadedPage;
  signal: AbortSignal;
}

/** Criteria by which the authoring tools choose a strategy. */
export interface StrategyChoice {
  /** Completes "the reviewer is given …"; models choose by it. */
  shows: string;
  /**
   * The places that findings on this data alone can name: elements or words of the page, the site as a whole, or
   * nothing, in which case an inferred agent gathers the HTML as well.
   */
  locates: 'elements' | 'site' | 'nothing';
  /** Words of instructions that ask for the strategy; without it, only a model chooses the strategy. */
  askedBy?: RegExp;
  /** Place among the strategies of an agent that is inferred from words, the lowest first. */
  rank: number;
}

interface Strategy<Options, Data> {
  name: string;
  /** The only definition of the strategy's options: validation, defaults and docs all come from it. */
  options: z.ZodType<Options>;
  /** Absent if only the author of an agent can know whether and how to use the strategy. */
  choice?: StrategyChoice;
  /** Limit for this strategy in place of the default of 60 s. */
  timeoutMs?: number;
  toPrompt(data: Data, input: { url: string }): PromptPart[];
}

/** Works from the URL alone, concurrently with the others. */
export interface FetchStrategy<Options = unknown, Data = unknown> extends Strategy<Options, Data> {
  kind: 'fetch';
  /** True if it starts a browser of its own. */
  needsBrowser?: boolean;
  gather(input: FetchInput<Options>): Promise<Data>;
}

/** Gets a loaded page; strategies that ask for equal views share one load and take turns on it. */
export interface PageStrategy<Options = unknown, Data = unknown> extends Strategy<Options, Data> {
  kind: 'page';
  view(options: Options, deviceType: DeviceType): View;
  gather(input: PageInput<Options>): Promise<Data>;
}

// The list of strategies holds many option types at once, and only the runner pairs each with its own.
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type GatherStrategy = FetchStrategy<any, any> | PageStrategy<any, any>;

export const fetchStrategy = <Options, Data>(
  strategy: Omit<FetchStrategy<Options, Data>, 'kind'>,
): FetchStrategy<Options, Data> => ({ kind: 'fetch', ...strategy });

export const pageStrategy = <Options, Data>(
  strategy: Omit<PageStrategy<Options, Data>, 'kind'>,
): PageStrategy<Options, Data> => ({ kind: 'page', ...strategy });
