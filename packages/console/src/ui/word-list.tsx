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
  /** Throws if it fails, and says so itself; what was typed stays. */
  onAdd: (word: string) => Promise<unknown>;
  onRemove: (word: string) => Promise<unknown>;
}) {
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  // One change after the other: the next one is made to the list that the last one has left.
  const change = async (run: () => Promise<unknown>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    return await run()
      .then(
        () => true,
        () => false,
      )
      .finally(() => setBusy(false));
  };
  const add = async (): Promise<void> => {
    const word = typed.trim();
    if (word !== '' && (await change(() => onAdd(word)))) setTyped('');
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
                <IconButton
                  label={`Remove ${word}`}
                  size="small"
                  isDisabled={isBusy}
                  onPress={() => void change(() => onRemove(word))}
                >
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
            void add();
          }}
        >
          <Row isLow>
            <TextInput
              label={addLabel}
              value={typed}
              onChange={setTyped}
              {...(placeholder && { placeholder })}
            />
            <Button type="submit" isPending={isBusy}>
              Add
            </Button>
          </Row>
        </form>
      )}
    </Stack>
  );
}
