import { asObject, type Fields } from '../../lib/json.ts';
import type { TaskResult } from '../core/execution-strategy.ts';

/** A completed page of a run. */
export interface CompletedPage {
  url: string;
  result: Pick<TaskResult, 'findings' | 'data'>;
}

/** Summarizes the pages of a run for the caller; chosen by `response.responseAdapter`. */
export interface ResponseAdapter<Response extends Fields = Fields> {
  name: string;
  /** True if the fields belong to the execution itself instead of its `response`. */
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

/** True if the data has a list under a key; the key identifies the service that made the data. */
export const hasList = (data: unknown, key: string): boolean => Array.isArray(asObject(data)[key]);
