import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button, IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { Failure } from './failure.tsx';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** `side`: a panel at the end of the page. */
  kind?: 'normal' | 'wide' | 'side';
  role?: 'dialog' | 'alertdialog';
  footer?: ReactNode;
}

export function ModalDialog({
  title,
  isOpen,
  onClose,
  children,
  kind = 'normal',
  role,
  footer,
}: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(opens) => !opens && onClose()}
      isDismissable={role !== 'alertdialog'}
      className={`${styles.backdrop} ${kind === 'side' ? styles.side : ''}`}
    >
      <Modal className={`${styles.modal} ${kind === 'wide' ? styles.wide : ''}`}>
        <Dialog className={styles.dialog ?? ''} role={role ?? 'dialog'}>
          <div className={styles.head}>
            <Heading slot="title" className={styles.title ?? ''}>
              {title}
            </Heading>
            <IconButton label="Close" size="small" onPress={onClose}>
              <X />
            </IconButton>
          </div>
          <div className={styles.body}>{children}</div>
          {footer && <div className={styles.foot}>{footer}</div>}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** A dialog with fields and one button that saves; a failure is shown above the button and nothing is lost. */
export function FormDialog({
  submitLabel,
  onSubmit,
  isDanger,
  canSubmit = true,
  children,
  ...dialog
}: Omit<DialogProps, 'footer'> & {
  submitLabel: string;
  /** Throws if it fails. The dialog closes when it is done. */
  onSubmit: () => Promise<unknown>;
  isDanger?: boolean;
  canSubmit?: boolean;
}) {
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy || !canSubmit) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await onSubmit();
      dialog.onClose();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ModalDialog {...dialog}>
      <form className={styles.body} onSubmit={(event) => void submit(event)} noValidate>
        {children}
        {failure !== undefined && <Failure error={failure} />}
        <div className={styles.foot}>
          <Button onPress={dialog.onClose}>Cancel</Button>
          <Button
            type="submit"
            variant={isDanger ? 'danger' : 'primary'}
            isDisabled={!canSubmit}
            isPending={isBusy}
          >
            {submitLabel}
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}
