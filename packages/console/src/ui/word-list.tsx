import { X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { TextInput } from './field.tsx';
import styles from './stack.module.css';
import { Note, Row, Stack } from './stack.tsx';

/** A list of short texts that grows by a field and shrinks by a button each. */
export function WordList({
  label,
  addLabel,
  placeholder,
  words,
  empty,
  isDisabled = false,
  onAdd,
  onRemove,
}: {
  label: string;
  addLabel: string;
  placeholder?: string;
  words: readonly string[];
  /** The meaning of the empty list. */
  empty: string;
  isDisabled?: boolean;
  onAdd: (word: string) => void;
  onRemove: (word: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const add = () => {
    if (typed.trim() === '') return;
    onAdd(typed.trim());
    setTyped('');
  };
  return (
    <Stack>
      {words.length === 0 ? (
        <Note>{empty}</Note>
      ) : (
        <ul className={styles.tags} aria-label={label}>
          {words.map((word) => (
            <li key={word} className={styles.tag}>
              {word}
              {!isDisabled && (
                <IconButton label={`Remove ${word}`} size="small" onPress={() => onRemove(word)}>
                  <X />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isDisabled && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add();
          }}
        >
          <Row isLow>
            <TextInput
              label={addLabel}
              value={typed}
              onChange={setTyped}
              {...(placeholder && { placeholder })}
            />
            <Button type="submit">Add</Button>
          </Row>
        </form>
      )}
    </Stack>
  );
}
