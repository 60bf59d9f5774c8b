import type { ApiKey } from '@redpen/client';
import { useState } from 'react';
import { useWorkspaceMutation } from '../../data/use-workspace-query.ts';
import { useRenewSession, useSession } from '../../session/session.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckInput, RadioInput, TextInput } from '../../ui/field.tsx';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { announce } from '../../ui/toasts.tsx';
import { API_KEYS } from './key-names.ts';

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { account } = useSession();
  const renewSession = useRenewSession();
  const [name, setName] = useState('');
  const [ownerEmail, setOwnerEmail] = useState(account.email ?? '');
  const [type, setType] = useState<'testing' | 'production'>('testing');
  const [isLocal, setLocal] = useState(true);
  const create = useWorkspaceMutation(
    (redpen) =>
      redpen.apiKeys.create({
        ownerEmail: ownerEmail.trim(),
        type,
        ...(name.trim() && { apiKeyName: name.trim() }),
        addLocalHostToAllowedDomains: isLocal,
      }),
    { renews: [API_KEYS] },
  );
  const submit = async (): Promise<void> => {
    await create.mutateAsync(undefined);
    await renewSession();
    announce('The key is created.');
  };
  return (
    <FormDialog title="Create an API key" isOpen onClose={onClose} submitLabel="Create key" onSubmit={submit}>
      <TextInput label="Name" isOptional autoFocus placeholder="Staging" value={name} onChange={setName} />
      <TextInput
        label="Email of its owner"
        type="email"
        hint="Gets mails about webhooks that fail."
        value={ownerEmail}
        onChange={setOwnerEmail}
      />
      <RadioInput
        label="Type"
        choices={[
          { id: 'testing', label: 'Testing' },
          { id: 'production', label: 'Production', hint: 'needs a paid plan' },
        ]}
        value={type}
        onChange={setType}
      />
      <CheckInput isSelected={isLocal} onChange={setLocal}>
        Let user tokens work on pages of localhost
      </CheckInput>
    </FormDialog>
  );
}

export function RenameKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const renewSession = useRenewSession();
  const rename = useWorkspaceMutation(
    (redpen, name: string) => redpen.apiKeys.update({ apiKey: apiKey.id, apiKeyName: name }),
    { renews: [API_KEYS] },
  );
  return (
    <RenameDialog
      what="key"
      name={apiKey.apiKeyName}
      onClose={onClose}
      onRename={async (name) => {
        await rename.mutateAsync(name);
        await renewSession();
      }}
    />
  );
}
