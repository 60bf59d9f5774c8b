import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same while what it does follows the page, so that rows are not drawn anew for it. */
export function useStable<A extends unknown[], R>(run: (...given: A) => R): (...given: A) => R {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...given: A) => latest.current(...given), []);
}
