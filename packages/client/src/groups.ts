import { type CallOf, type ListData, settle } from './calls.ts';
import { type CallOptions, type Connection, resultOf } from './connection.ts';
import { lazy } from './lazy.ts';
import { NAMES, type Names } from './names.ts';
import type { Operations } from './operations.ts';
import type { Pager } from './paging.ts';

/** Pages of the list, and of its other forms that are lists too. */
type PagerOf<Op> = Op extends { data: infer D; item: infer I }
  ? PagersOf<D, Op extends { forms: [...infer F, unknown] } ? F : []> & Pager<ListData<Op>, I>
  : unknown;
type PagersOf<D, F> = F extends [[infer S, infer T], ...infer Rest]
  ? (T extends (infer I)[] ? Pager<D & S, NonNullable<I>> : unknown) & PagersOf<D, Rest>
  : unknown;
type MethodOf<P> = P extends keyof Operations ? CallOf<Operations[P]> & PagerOf<Operations[P]> : never;

/** The list of a group, whose items the group itself returns one by one. */
type ListOf<G> = G extends { list: keyof Operations }
  ? G['list']
  : G extends { get: keyof Operations }
    ? G['get']
    : never;
type GroupPager<P> = [P] extends [never]
  ? unknown
  : P extends keyof Operations
    ? PagerOf<Operations[P]>
    : never;

export type Groups = {
  readonly [G in keyof Names]: { readonly [M in keyof Names[G]]: MethodOf<Names[G][M]> } & GroupPager<
    ListOf<Names[G]>
  >;
};

/** A pager whose code is loaded when it is used. */
function lazyPager(connection: Connection, path: string, key: string): Pager<object, unknown> {
  const open = async () => (await import('./paging.ts')).pagerOf(connection, path, key);
  return {
    ...lazy(open, 'page all'),
    async *iterate(...given) {
      yield* (await open()).iterate(...given);
    },
  };
}

/** The methods of all groups. */
export function groupsOf(connection: Connection): Groups {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const line of NAMES.split('\n')) {
    const [group = '', folder, ...members] = line.split(' ');
    groups[group] ??= {};
    const methods = groups[group];
    for (const member of members) {
      const [, name = '', rest, key] = /^(\w+)=?([^[]*)(?:\[(.*)])?$/.exec(member)!;
      const path = `/v2/${folder || group}/${/^(\/|$)/.test(rest!) ? name + rest : rest}`;
      const call = (data?: unknown, options?: CallOptions) =>
        settle(connection.send(path, data, options).then(resultOf), options);
      const pager = key === undefined ? {} : lazyPager(connection, path, key);
      methods[name] = Object.assign(call, pager);
      if (/^(list|get)$/.test(name)) Object.assign(methods, pager);
    }
  }
  return groups as unknown as Groups;
}
