import type { Page } from 'playwright-core';
import type { z } from 'zod';
import type { LoadedPage, View } from '../../outside/browser/browser.ts';
import type { Lighthouse } from '../../outside/lighthouse/lighthouse-report.ts';
import type { PromptPart } from '../../outside/models/models.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';

/** What a strategy brought home; a failed one has an error and no data. */
export interface Gathered {
  name: string;
  data?: unknown;
  error?: string;
  parts: PromptPart[];
}

export interface FetchInput<Options> {
  url: string;
  options: Options;
  fetch: SafeFetch;
  /** Asks a URL and decodes its text by its charset; a failed exchange throws `FetchFailure`. */
  fetchText(
    url: string,
  ): Promise<{ url: string; status: number; headers: Record<string, string>; body: string }>;
  /** What templates are filled from: each variable by its name, `variables` and `userContext`. */
  values: Record<string, unknown>;
  deviceType: DeviceType;
  lighthouse: Lighthouse;
  /** Whose answers may be kept and given again; without it none are. */
  cacheScope?: string | undefined;
  log(line: GatherLogLine): void;
  signal: AbortSignal;
}

export interface GatherLogLine {
  level: 'info' | 'warn' | 'error';
  /** By default `note`. */
  kind?: 'note' | 'fetch';
  message: string;
  data?: Record<string, unknown>;
}

export interface PageInput<Options> {
  url: string;
  deviceType: DeviceType;
  options: Options;
  page: Page;
  loaded: LoadedPage;
  signal: AbortSignal;
}

interface Common<Options, Data> {
  name: string;
  /** The only definition of the strategy's options: validation, defaults and docs all come from it. */
  options: z.ZodType<Options>;
  /** Where it may take longer, or must take less, than others. */
  timeoutMs?: number;
  toPrompt(data: Data, input: { url: string }): PromptPart[];
}

/** Works from the URL alone, beside the others. */
export interface FetchStrategy<Options = unknown, Data = unknown> extends Common<Options, Data> {
  kind: 'fetch';
  gather(input: FetchInput<Options>): Promise<Data>;
}

/** Gets a loaded page; strategies that ask for equal views share one load, one after another. */
export interface PageStrategy<Options = unknown, Data = unknown> extends Common<Options, Data> {
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
