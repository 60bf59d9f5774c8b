import { useState } from 'react';
import { FormDialog } from './dialog.tsx';
import { TextInput } from './field.tsx';

/** Asks for another name of something, such as a folder. */
export function RenameDialog({
  what,
  name: before,
  onClose,
  onRename,
}: {
  what: string;
  name: string;
  onClose: () => void;
  onRename: (name: string) => Promise<unknown>;
}) {
  const [name, setName] = useState(before);
  return (
    <FormDialog
      title={`Rename the ${what}`}
      isOpen
      onClose={onClose}
      submitLabel="Rename"
      canSubmit={name.trim() !== '' && name !== before}
      onSubmit={() => onRename(name.trim())}
    >
      <TextInput label="Name" value={name} onChange={setName} autoFocus />
    </FormDialog>
  );
}
