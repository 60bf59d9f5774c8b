import { createContext, useContext } from 'react';
import type { Path } from './json-path.ts';
import type { Problem } from './problems.ts';

/** What the fields of the form share: the value of the whole, how to change it, and its problems. */
export interface FormState {
  root: unknown;
  problems: readonly Problem[];
  isReadOnly: boolean;
  change(path: Path, value: unknown): void;
}

export const FormContext = createContext<FormState | undefined>(undefined);

export function useForm(): FormState {
  const form = useContext(FormContext);
  if (!form) throw new Error('A field needs the context of a form.');
  return form;
}
