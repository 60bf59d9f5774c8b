import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { TextInput } from '../../../ui/field.tsx';
import styles from './editor.module.css';
import { useForm } from './form-state.ts';
import { valueAt } from './json-path.ts';
import { problemAt } from './problems.ts';
import { type Field, REDACTED, titleOf } from './schema.ts';

/** A secret. One that is stored is not shown, and is kept unless another is typed. */
export function SecretField({ field: { node, path, name } }: { field: Field }) {
  const { root, problems, change, isReadOnly } = useForm();
  const value = valueAt(root, path);
  const [isStored] = useState(value === REDACTED);
  return (
    <div className={styles.secret}>
      <TextInput
        label={titleOf(name, node)}
        hint={node.description}
        error={problemAt(problems, path, true)}
        isDisabled={isReadOnly}
        type="password"
        autoComplete="new-password"
        isMono
        value={value === REDACTED || typeof value !== 'string' ? '' : value}
        placeholder={value === REDACTED ? 'Stored; it is kept' : ''}
        onChange={(next) => change(path, next === '' ? (isStored ? REDACTED : undefined) : next)}
      />
      {isStored && value !== REDACTED && (
        <Button size="small" onPress={() => change(path, REDACTED)}>
          Keep the stored one
        </Button>
      )}
    </div>
  );
}
