import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import styles from './editor.module.css';
import { useForm } from './form-state.ts';
import { isFields, valueAt } from './json-path.ts';
import { problemAt } from './problems.ts';
import { type Field, fieldsOf, titleOf } from './schema.ts';

/** The first words of an entry, as its heading. */
const labelOf = (entry: unknown, index: number): string => {
  const names = ['name', 'title', 'id', 'url', 'goto', 'click', 'fill', 'waitFor'];
  const found =
    isFields(entry) && names.map((name) => entry[name]).find((one) => typeof one === 'string' && one);
  return typeof found === 'string' ? found : `Entry ${index + 1}`;
};

/** A list of objects, each in a frame with the fields of the schema. */
export function EntriesField({
  field: { node, path, name },
  children,
}: {
  field: Field;
  /** Draws the fields of an entry. */
  children: (fields: readonly Field[]) => ReactNode;
}) {
  const { root, problems, change, isReadOnly } = useForm();
  const value = valueAt(root, path);
  const entries: unknown[] = Array.isArray(value) ? value : [];
  const problem = problemAt(problems, path, false);
  const remove = (index: number): void => {
    const next = entries.filter((_, at) => at !== index);
    change(path, next.length > 0 ? next : undefined);
  };
  return (
    <fieldset className={styles.choices}>
      <legend>{titleOf(name, node)}</legend>
      {node.description && <p className={styles.hint}>{node.description}</p>}
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity.
        <div key={index} className={styles.entry}>
          <div className={styles.entryHead}>
            <b>{labelOf(entry, index)}</b>
            {!isReadOnly && (
              <IconButton
                size="small"
                label={`Remove ${labelOf(entry, index)}`}
                onPress={() => remove(index)}
              >
                <Trash2 />
              </IconButton>
            )}
          </div>
          {node.items && children(fieldsOf(node.items, [...path, index]))}
        </div>
      ))}
      {problem && <p className={styles.problem}>{problem}</p>}
      {!isReadOnly && (
        <div>
          <Button size="small" onPress={() => change(path, [...entries, {}])}>
            <Plus /> Add
          </Button>
        </div>
      )}
    </fieldset>
  );
}
