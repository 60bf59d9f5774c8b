import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button, IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { Failure } from './failure.tsx';
import { announce } from './toasts.tsx';

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

type FormDialogProps = Omit<DialogProps, 'footer'> & {
  submitLabel: string;
  /** Throws if it fails. The dialog closes when it is done. */
  onSubmit: () => Promise<unknown>;
  isDanger?: boolean;
  canSubmit?: boolean;
};

/** A dialog with fields and one button that saves; a failure is shown above the button and nothing is lost. */
export function FormDialog({
  submitLabel,
  onSubmit,
  isDanger,
  canSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  const { onClose } = dialog;
  return (
    <ModalDialog {...dialog}>
      {/* Gone when the dialog is closed, and its failure with it. */}
      <DialogForm {...{ submitLabel, onSubmit, isDanger, canSubmit, onClose }}>{children}</DialogForm>
    </ModalDialog>
  );
}

function DialogForm({
  submitLabel,
  onSubmit,
  isDanger,
  canSubmit = true,
  onClose,
  children,
}: Pick<FormDialogProps, 'submitLabel' | 'onSubmit' | 'isDanger' | 'canSubmit' | 'onClose' | 'children'>) {
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The first field that needs another value takes the focus, and is read with its problem.
    if (failure !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy || !canSubmit) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await onSubmit();
      // A person who has closed it may have opened the next one.
      if (isShown.current) onClose();
    } catch (error) {
      if (isShown.current) setFailure(error);
      else announce(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} className={styles.body} onSubmit={(event) => void submit(event)} noValidate>
      {children}
      {failure !== undefined && <Failure error={failure} />}
      <div className={styles.foot}>
        <Button onPress={onClose}>Cancel</Button>
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
  );
}
