import { useEffect, useRef, useState } from 'react';
import { useStable } from './use-stable.ts';

const PAUSE_MS = 300;

/**
 * A text that is saved in the address once the person pauses. The address follows what is typed a little later, so a field
 * that showed it directly would lose letters and move the cursor.
 */
export function useDraft(
  value: string,
  save: (value: string) => void,
): readonly [draft: string, setDraft: (next: string) => void] {
  const [draft, setDraft] = useState(value);
  const store = useStable(save);
  /** What the address will say soon. */
  const coming = useRef<string[]>([]);
  useEffect(() => {
    const at = coming.current.indexOf(value);
    if (at >= 0) coming.current.splice(0, at + 1);
    else {
      coming.current = [];
      setDraft(value);
    }
  }, [value]);
  useEffect(() => {
    if (draft === value) return;
    const timer = setTimeout(() => {
      coming.current.push(draft);
      store(draft);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, value, store]);
  return [draft, setDraft];
}
