import { Send } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { TextArea, TextField } from 'react-aria-components';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { announce } from '../../ui/toasts.tsx';
import styles from './threads.module.css';

/** What was written but not sent, by the place for which it was written. Esc and other threads do not lose it. */
const drafts = new Map<string, string>();

/** A field for a comment. Ctrl or Command with Enter sends it. */
export function Composer({
  label,
  draftKey,
  initial = '',
  submitLabel,
  onSend,
  onRefused,
  onCancel,
  autoFocus = false,
}: {
  label: string;
  draftKey: string;
  initial?: string;
  submitLabel: string;
  onSend: (text: string) => Promise<unknown>;
  /** Called if the text was not taken and the field is gone: it has the text again where it is shown. */
  onRefused?: () => void;
  onCancel?: (() => void) | undefined;
  autoFocus?: boolean;
}) {
  const [text, setText] = useState(drafts.get(draftKey) ?? initial);
  const [failure, setFailure] = useState<unknown>();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const change = (next: string): void => {
    drafts.set(draftKey, next);
    setText(next);
  };
  const send = (): void => {
    const sent = text.trim();
    if (sent === '') return;
    // The thread shows it at once; a refusal gives the text back.
    setFailure(undefined);
    setText('');
    drafts.delete(draftKey);
    onSend(sent).catch((error: unknown) => {
      if (!drafts.get(draftKey)) drafts.set(draftKey, sent);
      setFailure(error);
      setText((now) => now || sent);
      if (isShown.current) return;
      announce(error instanceof Error ? error.message : String(error));
      onRefused?.();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && onCancel) {
      event.stopPropagation();
      onCancel();
    }
  };
  return (
    <div className={styles.composer}>
      {failure !== undefined && <Failure error={failure} />}
      <TextField aria-label={label} value={text} onChange={change} autoFocus={autoFocus}>
        <TextArea className={styles.area ?? ''} rows={3} placeholder={label} onKeyDown={onKeyDown} />
      </TextField>
      <div className={styles.send}>
        <span className={styles.hint}>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends it
        </span>
        {onCancel && (
          <Button size="small" variant="quiet" onPress={onCancel}>
            Cancel
          </Button>
        )}
        <Button size="small" onPress={send} isDisabled={text.trim() === ''}>
          <Send /> {submitLabel}
        </Button>
      </div>
    </div>
  );
}
