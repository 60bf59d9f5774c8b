import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The query of the address, which may have been written by any other page. */
export type AddressSearch = Readonly<Record<string, unknown>>;

/** A value of the address as text; undefined if there is none. */
export function textIn(search: AddressSearch, name: string): string | undefined {
  const value = search[name];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One of the allowed values, or the first of them. */
export function choiceIn<K extends string>(
  search: AddressSearch,
  name: string,
  allowed: readonly [K, ...K[]],
): K {
  const value = textIn(search, name);
  return allowed.find((one) => one === value) ?? allowed[0];
}

const same = (search: AddressSearch): AddressSearch => search;

/**
 * The tab and filters of a page, kept in its address, and a function that changes some of them: without an entry in the
 * history, and without scrolling. `keep` says which parts stay when others change; by default, all do.
 */
export function useAddress<T, C extends object = Record<string, string | undefined>>(
  parse: (search: AddressSearch) => T,
  keep: (search: AddressSearch) => object = same,
): [T, (change: C) => void] {
  const search = useSearch({ strict: false }) as AddressSearch;
  const navigate = useNavigate();
  const change = useCallback(
    (values: C) =>
      void navigate({
        to: '.',
        search: ((previous: AddressSearch) => keep({ ...previous, ...values })) as never,
        replace: true,
        resetScroll: false,
      }),
    [navigate, keep],
  );
  return [parse(search), change];
}
