import { useCallback, useState } from 'react';
import { type Fields, isFields } from './json-path.ts';
import type { Problem } from './problems.ts';

interface DraftState {
  value: Fields;
  /** The same as JSON, or what is typed in its place. */
  text: string;
  /** Why the text is no configuration. */
  textProblem: string | undefined;
  problems: readonly Problem[];
}

const print = (value: Fields): string => JSON.stringify(value, null, 2);

const start = (value: Fields): DraftState => ({
  value,
  text: print(value),
  textProblem: undefined,
  problems: [],
});

function read(text: string): { value: Fields } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? { value } : { problem: 'The configuration must be an object.' };
  } catch (error) {
    return { problem: `This is no JSON yet: ${error instanceof Error ? error.message : String(error)}` };
  }
}

export interface Draft extends DraftState {
  change(value: Fields, problems?: readonly Problem[]): void;
  type(text: string): void;
  refuse(problems: readonly Problem[]): void;
  restart(value: Fields): void;
}

/** A configuration that is edited as a form and as JSON. What is typed stays until it is saved. */
export function useDraft(initial: Fields): Draft {
  const [state, setState] = useState(() => start(initial));
  const change = useCallback(
    (value: Fields, problems: readonly Problem[] = []) =>
      setState({ value, text: print(value), textProblem: undefined, problems }),
    [],
  );
  const type = useCallback((text: string) => {
    const found = read(text);
    setState((before) =>
      'problem' in found
        ? { ...before, text, textProblem: found.problem }
        : { value: found.value, text, textProblem: undefined, problems: [] },
    );
  }, []);
  const refuse = useCallback(
    (problems: readonly Problem[]) => setState((before) => ({ ...before, problems })),
    [],
  );
  const restart = useCallback((value: Fields) => setState(start(value)), []);
  return { ...state, change, type, refuse, restart };
}
