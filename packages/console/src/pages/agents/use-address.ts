import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type AgentsAddress, readAddress } from './address.ts';

/** The address of the page, and how to change parts of it without leaving an entry in the history. */
export function useAddress(): [AgentsAddress, (change: AgentsAddress) => void] {
  const address = readAddress(useSearch({ strict: false }));
  const navigate = useNavigate();
  const set = useCallback(
    (change: AgentsAddress) =>
      void navigate({
        to: '.',
        replace: true,
        search: ((before: Record<string, unknown>) => readAddress({ ...before, ...change })) as never,
      }),
    [navigate],
  );
  return [address, set];
}
