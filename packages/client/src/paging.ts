import type { Arguments } from './calls.ts';
import { type Body, type CallOptions, type Connection, resultOf } from './connection.ts';

type PageOptions = Omit<CallOptions, 'safe' | 'idempotencyKey'>;

export interface Page<I> {
  items: I[];
  /** Continues the list as `cursor`; undefined on the last page. */
  next: string | undefined;
}

/** A list, however its operation names the cursor. */
export interface Pager<D, I> {
  /** All items, page by page as they are read. */
  iterate(...given: Arguments<D, PageOptions>): AsyncGenerator<I, void>;
  /** One page. */
  page(...given: Arguments<D, PageOptions & { cursor?: string | undefined }>): Promise<Page<I>>;
  /** The first items, `max` at most. */
  all(data: D, options: PageOptions & { max: number }): Promise<I[]>;
}

/** The names of the cursor in answers. */
const CURSORS = ['nextPageToken', 'pageToken', 'iterator', 'next'];

/** The field of a request that takes the cursor. */
const fieldOf = (path: string): string =>
  path.includes('/advancedwebhook/') ? 'iterator' : path.endsWith('/events') ? 'after' : 'pageToken';

export function pagerOf({ send }: Connection, path: string, key: string): Pager<object, unknown> {
  const page: Pager<object, unknown>['page'] = async (data = {}, { cursor, ...options } = {}) => {
    const from = cursor === undefined ? {} : { [fieldOf(path)]: cursor };
    const body: Body = await send(path, { ...data, ...from }, options);
    const value: Body = resultOf(body);
    const items: unknown[] = (key === '*' ? [value] : key === '' ? value : value[key]) ?? [];
    const holders = key === '' ? [body.result] : [body.result, value];
    const cursors = holders.flatMap((holder) => CURSORS.map((name) => holder?.[name]));
    const next = value.done === true ? undefined : cursors.find((one) => typeof one === 'string');
    // A list of requested ids has null in the place of an unknown one. The log of a run that continues has no last page.
    return { items: items.filter((item) => item !== null), next: next === cursor ? undefined : next };
  };

  async function* iterate(data: object = {}, options?: PageOptions): AsyncGenerator<unknown, void> {
    for (let cursor: string | undefined; ; ) {
      const { items, next } = await page(data, { ...options, cursor });
      yield* items;
      if (next === undefined) return;
      cursor = next;
    }
  }

  return {
    page,
    iterate,
    async all(data, { max, ...options }) {
      const found: unknown[] = [];
      for await (const item of iterate(data, options)) {
        if (found.length >= max) break;
        found.push(item);
      }
      return found;
    },
  };
}
