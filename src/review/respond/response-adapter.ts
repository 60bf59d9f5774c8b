import type { Fields } from '../../lib/json.ts';
import type { TaskResult } from '../core/execute-task.ts';

/** A completed page of a run. */
export interface CompletedPage {
  url: string;
  result: Pick<TaskResult, 'findings' | 'data'>;
}

/** Sums up the pages of a run for its caller; chosen by `response.responseAdapter`. */
export interface ResponseAdapter<Response extends Fields = Fields> {
  name: string;
  /** True if the fields of the answer stand on the execution itself instead of under its `response`. */
  onExecution?: boolean;
  respond(pages: readonly CompletedPage[]): Response;
}

export const responseAdapter = <Response extends Fields>(
  adapter: ResponseAdapter<Response>,
): ResponseAdapter<Response> => adapter;

/** The data of pages, as far as they pass the check; pages without such data are left out. */
export const pagesWithData = <Data>(
  pages: readonly CompletedPage[],
  isData: (data: unknown) => data is Data,
): { url: string; data: Data; findings: CompletedPage['result']['findings'] }[] =>
  pages.flatMap(({ url, result: { findings, data } }) => (isData(data) ? [{ url, data, findings }] : []));

/** True if the data has a list under a key, which tells whose service's data it is. */
export const hasList = (data: unknown, key: string): boolean =>
  typeof data === 'object' && data !== null && Array.isArray((data as { [key]?: unknown })[key]);
