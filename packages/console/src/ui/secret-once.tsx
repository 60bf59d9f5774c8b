import { CodeBlock } from './code-block.tsx';
import { ModalDialog } from './dialog.tsx';

/** Shows a secret that is shown at no other time, with a button that copies it. */
export function SecretOnce({
  title,
  label,
  secret,
  children,
  onClose,
}: {
  title: string;
  label: string;
  secret: string;
  children: string;
  onClose: () => void;
}) {
  return (
    <ModalDialog title={title} role="alertdialog" isOpen onClose={onClose}>
      <p>{children}</p>
      <CodeBlock label={label} code={secret} />
    </ModalDialog>
  );
}
