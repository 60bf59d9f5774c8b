import { UNDO_MS } from '@redpen/elements/findings/undo-time';
import {
  Button,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import styles from './toasts.module.css';

interface Notice {
  text: string;
  action?: { label: string; run: () => void };
}

const queue = new ToastQueue<Notice>({ maxVisibleToasts: 3 });

/** Says that something is done, with a button that undoes it if it can be undone. */
export function announce(text: string, action?: Notice['action']): void {
  queue.add({ text, ...(action && { action }) }, { timeout: UNDO_MS });
}

/** Says why something was not done, if it fails. */
export const sayFailure = (work: Promise<unknown>): void =>
  void work.catch((error: unknown) => announce(error instanceof Error ? error.message : String(error)));

export const Toasts = () => (
  <ToastRegion queue={queue} className={styles.region ?? ''}>
    {({ toast }) => (
      <Toast toast={toast} className={styles.toast ?? ''}>
        <ToastContent>
          <Text slot="title">{toast.content.text}</Text>
        </ToastContent>
        {toast.content.action && (
          <Button
            onPress={() => {
              toast.content.action?.run();
              queue.close(toast.key);
            }}
          >
            {toast.content.action.label}
          </Button>
        )}
        <Button slot="close">Close</Button>
      </Toast>
    )}
  </ToastRegion>
);
