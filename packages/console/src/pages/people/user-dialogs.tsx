import type { Contact } from '@redpen/client';
import { useState } from 'react';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { SelectInput, TextInput } from '../../ui/field.tsx';
import { announce } from '../../ui/toasts.tsx';
import { USERS } from './use-people.ts';

const ROLES = [
  { id: 'viewer', label: 'Viewer', hint: 'reads' },
  { id: 'editor', label: 'Editor', hint: 'also comments and changes live documents' },
] as const;

const RENEWED = [USERS, ['people', 'explanation'], ['organizations']] as const;

/** Adds a user to an organization, or changes one. */
export function UserDialog({
  organizationId,
  user,
  onClose,
}: {
  organizationId?: string;
  user?: Contact | undefined;
  onClose: () => void;
}) {
  const [place, setPlace] = useState(organizationId ?? '');
  const [userId, setUserId] = useState(user?.userId ?? '');
  const [name, setName] = useState(user?.name ?? '');
  const [email, setEmail] = useState(user?.email ?? '');
  const [role, setRole] = useState(user?.accessRole ?? 'editor');
  const save = useKeyMutation(
    (redpen) => {
      const data = {
        organizationId: place.trim(),
        users: [{ userId: userId.trim(), name: name.trim(), email: email.trim(), accessRole: role }],
      };
      return user ? redpen.users.update(data) : redpen.users.add(data);
    },
    { renews: RENEWED },
  );
  const submit = async (): Promise<void> => {
    const result = (await save.mutateAsync(undefined))[userId.trim()];
    if (result && !result.success) throw new Error(result.message);
    announce(user ? 'The user is saved.' : 'The user is added.');
  };
  return (
    <FormDialog
      title={user ? 'Edit user' : 'Add a user'}
      isOpen
      onClose={onClose}
      submitLabel={user ? 'Save' : 'Add user'}
      canSubmit={userId.trim() !== '' && place.trim() !== ''}
      onSubmit={submit}
    >
      {organizationId === undefined && (
        <TextInput label="Organization" isMono placeholder="acme" value={place} onChange={setPlace} />
      )}
      <TextInput
        label="User id"
        isMono
        autoFocus={!user}
        isDisabled={user !== undefined}
        hint="The id that your product has for this person."
        value={userId}
        onChange={setUserId}
      />
      <TextInput label="Name" isOptional value={name} onChange={setName} />
      <TextInput label="Email" type="email" isOptional value={email} onChange={setEmail} />
      <SelectInput label="Role in the organization" choices={ROLES} value={role} onChange={setRole} />
    </FormDialog>
  );
}

const nameOf = ({ name, userId }: Contact): string => name || userId;

export function RemoveDialog({
  organizationId,
  user,
  onClose,
}: {
  organizationId: string;
  user: Contact;
  onClose: () => void;
}) {
  const remove = useKeyMutation((redpen) => redpen.users.delete({ organizationId, userIds: [user.userId] }), {
    renews: [...RENEWED, ['people', 'groups']],
  });
  return (
    <FormDialog
      title={`Remove ${nameOf(user)}?`}
      role="alertdialog"
      isOpen
      isDanger
      submitLabel="Remove user"
      onClose={onClose}
      onSubmit={() => remove.mutateAsync(undefined)}
    >
      <p>
        All grants in this organization end, and so does membership of its groups. What the user wrote stays.
        Tokens that were made before stay valid until they expire.
      </p>
    </FormDialog>
  );
}

export function EraseDialog({ user, onClose }: { user: Contact; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const erase = useKeyMutation((redpen) => redpen.userData.delete({ userIds: [user.userId] }), {
    renews: RENEWED,
  });
  const submit = async (): Promise<void> => {
    await erase.mutateAsync(undefined);
    announce('The data is being erased in the background.');
  };
  return (
    <FormDialog
      title={`Erase the data of ${nameOf(user)}?`}
      role="alertdialog"
      isOpen
      isDanger
      submitLabel="Erase data"
      canSubmit={typed === user.userId}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>
        What the user wrote in all organizations, the profile, and the name in content of others are removed.
        This cannot be undone. Comments of others remain.
      </p>
      <TextInput label={`Type ${user.userId} to confirm`} isMono value={typed} onChange={setTyped} />
    </FormDialog>
  );
}
