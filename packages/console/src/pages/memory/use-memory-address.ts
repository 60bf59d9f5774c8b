import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type MemoryAddress, readAddress } from './memory-address.ts';

/** The address of the page, and how to change parts of it without leaving an entry in the history. */
export function useMemoryAddress(): [MemoryAddress, (change: MemoryAddress) => void] {
  const address = readAddress(useSearch({ strict: false }));
  const navigate = useNavigate();
  const set = useCallback(
    (change: MemoryAddress) =>
      void navigate({
        to: '.',
        replace: true,
        search: ((before: Record<string, unknown>) => readAddress({ ...before, ...change })) as never,
      }),
    [navigate],
  );
  return [address, set];
}
