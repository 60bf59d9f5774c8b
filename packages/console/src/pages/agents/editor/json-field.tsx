import { useState } from 'react';
import { TextInput } from '../../../ui/field.tsx';
import { useForm } from './form-state.ts';
import { valueAt } from './json-path.ts';
import { problemAt } from './problems.ts';
import { type Field, titleOf } from './schema.ts';

const print = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** The value that is meant: JSON, or the words themselves. */
const parse = (text: string): unknown => {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A value for which there is no form, as JSON. Text that is no JSON stays as it is, and is sent as a string. */
export function JsonField({ field: { node, path, name } }: { field: Field }) {
  const { root, problems, change, isReadOnly } = useForm();
  const value = valueAt(root, path);
  const [typed, setTyped] = useState(() => print(value));
  const text = isSame(parse(typed), value) ? typed : print(value);
  return (
    <TextInput
      label={titleOf(name, node)}
      hint={[node.description, 'As JSON.'].filter(Boolean).join(' ')}
      error={problemAt(problems, path, true)}
      isDisabled={isReadOnly}
      isMono
      rows={Math.min(10, Math.max(2, text.split('\n').length))}
      value={text}
      onChange={(next) => {
        setTyped(next);
        change(path, parse(next));
      }}
    />
  );
}
