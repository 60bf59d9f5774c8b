import { asObject, type Fields } from '../../lib/json.ts';
import type { DraftFinding } from '../../shapes/agents/execution.ts';
import type { TaskResult } from '../core/execution-strategy.ts';

/** Pages and findings that a response lists; it counts all of them. */
export const MAX_LISTED = 100;

/** A completed page of a run, with its first findings. */
export interface CompletedPage {
  url: string;
  result: Pick<TaskResult, 'data'> & { findings: readonly DraftFinding[] };
}

/** The findings of a run as a whole. */
export interface RunFindings {
  total: number;
  /** The gravest of them, up to `MAX_LISTED`. */
  gravest: readonly (DraftFinding & { sourceUrl: string })[];
  /** Numbers of findings by their `errorType`, without those that have none. */
  byErrorType: Record<string, number>;
}

type Pages = AsyncIterable<CompletedPage> | Iterable<CompletedPage>;

/** Summarizes the pages of a run for the caller; chosen by `response.responseAdapter`. */
export interface ResponseAdapter<Response extends Fields = Fields> {
  name: string;
  /** True if the fields belong to the execution itself instead of its `response`. */
  onExecution?: boolean;
  /** A field that findings must have to be listed. */
  having?: 'errorType';
  respond(pages: Pages, findings: RunFindings): Promise<Response>;
}

export const responseAdapter = <Response extends Fields>(
  adapter: ResponseAdapter<Response>,
): ResponseAdapter<Response> => adapter;

/** The data of pages, as far as they pass the check; pages without such data are left out. */
export async function* pagesWithData<Data>(
  pages: Pages,
  isData: (data: unknown) => data is Data,
): AsyncGenerator<{ url: string; data: Data; findings: CompletedPage['result']['findings'] }> {
  for await (const { url, result } of pages)
    if (isData(result.data)) yield { url, data: result.data, findings: result.findings };
}

/** All items of pages with such data. */
export async function itemsOf<Data, Item>(
  pages: Pages,
  isData: (data: unknown) => data is Data,
  itemOf: (page: { url: string; data: Data }) => Item,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesWithData(pages, isData)) items.push(itemOf(page));
  return items;
}

/** True if the data has a list under a key; the key identifies the service that made the data. */
export const hasList = (data: unknown, key: string): boolean => Array.isArray(asObject(data)[key]);
