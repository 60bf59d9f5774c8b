import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CheckInput, TextInput } from '../../../ui/field.tsx';
import styles from './editor.module.css';
import { useForm } from './form-state.ts';
import { isFields, valueAt } from './json-path.ts';
import { problemAt } from './problems.ts';
import { type Field, REDACTED, titleOf } from './schema.ts';

const textOf = (value: unknown): string => (Array.isArray(value) ? value.map(String).join('\n') : '');
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** A list of words or globs, one a line. */
export function LinesField({ field: { node, path, name } }: { field: Field }) {
  const { root, problems, change, isReadOnly } = useForm();
  const value = valueAt(root, path);
  // Empty lines stay while they are typed, though they are not entries.
  const [typed, setTyped] = useState(() => textOf(value));
  const text = textOf(linesOf(typed)) === textOf(value) ? typed : textOf(value);
  return (
    <TextInput
      label={titleOf(name, node)}
      hint={[node.description, 'One a line.'].filter(Boolean).join(' ')}
      error={problemAt(problems, path, true)}
      isDisabled={isReadOnly}
      isMono
      rows={Math.min(8, Math.max(2, text.split('\n').length))}
      value={text}
      onChange={(next) => {
        setTyped(next);
        const lines = linesOf(next);
        change(path, lines.length > 0 ? lines : undefined);
      }}
    />
  );
}

/** Several of a few values. */
export function MultiselectField({ field: { node, path, name } }: { field: Field }) {
  const { root, problems, change, isReadOnly } = useForm();
  const value = valueAt(root, path);
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const choices = node.items?.enum ?? [];
  const problem = problemAt(problems, path, true);
  const toggle = (choice: string, isSelected: boolean): void => {
    const next = isSelected ? [...chosen, choice] : chosen.filter((one) => one !== choice);
    change(path, next.length > 0 ? next : undefined);
  };
  return (
    <fieldset className={styles.choices}>
      <legend>{titleOf(name, node)}</legend>
      {node.description && <p className={styles.hint}>{node.description}</p>}
      <div className={styles.boxes}>
        {[...choices, ...chosen.filter((one) => !choices.includes(one))].map((choice) => (
          <CheckInput
            key={choice}
            isSelected={chosen.includes(choice)}
            isDisabled={isReadOnly}
            onChange={(isSelected) => toggle(choice, isSelected)}
          >
            {choice}
          </CheckInput>
        ))}
      </div>
      {problem && <p className={styles.problem}>{problem}</p>}
    </fieldset>
  );
}

/** Words by name, such as headers. Stored secrets are kept until another value is typed. */
export function PairsField({ field: { node, path, name } }: { field: Field }) {
  const { root, problems, change, isReadOnly } = useForm();
  const value = valueAt(root, path);
  const pairs = isFields(value) ? Object.entries(value) : [];
  const isSecret = node['x-ui']?.secret === true || name === 'secrets';
  const problem = problemAt(problems, path, true);
  const replace = (index: number, pair: [string, unknown] | undefined): void => {
    const next = pairs.flatMap((one, at) => (at === index ? (pair ? [pair] : []) : [one]));
    change(path, next.length > 0 ? Object.fromEntries(next) : undefined);
  };
  const freeName = (): string => {
    let number = 1;
    while (pairs.some(([key]) => key === `name-${number}`)) number++;
    return `name-${number}`;
  };
  return (
    <fieldset className={styles.choices}>
      <legend>{titleOf(name, node)}</legend>
      {node.description && <p className={styles.hint}>{node.description}</p>}
      {pairs.map(([key, word], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name is typed in this row.
        <div key={index} className={styles.pair}>
          <TextInput
            label="Name"
            value={key}
            isMono
            isDisabled={isReadOnly}
            onChange={(next) => {
              if (!pairs.some(([other], at) => at !== index && other === next)) replace(index, [next, word]);
            }}
          />
          <TextInput
            label="Value"
            isMono
            isDisabled={isReadOnly}
            type={isSecret ? 'password' : 'text'}
            value={word === REDACTED ? '' : String(word ?? '')}
            placeholder={word === REDACTED ? 'Stored; it is kept' : ''}
            onChange={(next) => replace(index, [key, next])}
          />
          {!isReadOnly && (
            <IconButton label={`Remove ${key}`} onPress={() => replace(index, undefined)}>
              <Trash2 />
            </IconButton>
          )}
        </div>
      ))}
      {problem && <p className={styles.problem}>{problem}</p>}
      {!isReadOnly && (
        <div>
          <Button
            size="small"
            onPress={() => change(path, { ...Object.fromEntries(pairs), [freeName()]: '' })}
          >
            <Plus /> Add
          </Button>
        </div>
      )}
    </fieldset>
  );
}
