import type { AccessGrant } from '@redpen/client';
import { useState } from 'react';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckInput, SelectInput } from '../../ui/field.tsx';
import { Note } from '../../ui/stack.tsx';
import { announce } from '../../ui/toasts.tsx';
import type { AskedPlace } from './access-rules.ts';

const ROLES = [
  { id: 'viewer', label: 'Viewer', hint: 'reads' },
  { id: 'editor', label: 'Editor', hint: 'also comments and changes live documents' },
] as const;
type GrantedRole = (typeof ROLES)[number]['id'];

const DAY_SECONDS = 86_400;
const ENDS = [
  { id: 'never', label: 'No end' },
  { id: '1', label: 'A day' },
  { id: '7', label: 'A week' },
  { id: '30', label: '30 days' },
] as const;
type End = (typeof ENDS)[number]['id'];

const RENEWED = [['people']] as const;

/** The resources that can be granted to open the place of a question, the nearest first. */
function resourcesAround({ organizationId, documentId, folderId }: AskedPlace) {
  return [
    ...(documentId === undefined ? [] : [{ type: 'document' as const, id: documentId, organizationId }]),
    ...(folderId === undefined ? [] : [{ type: 'folder' as const, id: folderId, organizationId }]),
    { type: 'organization' as const, id: organizationId },
  ];
}

export function GrantDialog({
  userId,
  place,
  onClose,
}: {
  userId: string;
  place: AskedPlace;
  onClose: () => void;
}) {
  const resources = resourcesAround(place);
  const [type, setType] = useState(resources[0]!.type as string);
  const [accessRole, setRole] = useState<GrantedRole>('viewer');
  const [end, setEnd] = useState<End>('never');
  const grant = useKeyMutation(
    (redpen) => {
      const resource = resources.find((one) => one.type === type)!;
      const expiresAt = Math.floor(Date.now() / 1_000) + Number(end) * DAY_SECONDS;
      return redpen.permissions.add({
        user: { userId },
        permissions: {
          resources: [{ ...resource, accessRole, ...(end !== 'never' && { expiresAt }) }],
        },
      });
    },
    { renews: RENEWED },
  );
  const submit = async (): Promise<void> => {
    await grant.mutateAsync(undefined);
    announce('Access is granted.');
  };
  return (
    <FormDialog
      title={`Grant access to ${userId}`}
      isOpen
      onClose={onClose}
      submitLabel="Grant access"
      onSubmit={submit}
    >
      <SelectInput
        label="On"
        choices={resources.map((one) => ({ id: one.type as string, label: `The ${one.type} ${one.id}` }))}
        value={type}
        onChange={setType}
      />
      <SelectInput label="As" choices={ROLES} value={accessRole} onChange={setRole} />
      <SelectInput label="For" choices={ENDS} value={end} onChange={setEnd} />
      <Note>Granting again replaces the role and the end.</Note>
    </FormDialog>
  );
}

export function RevokeGrantDialog({
  userId,
  organizationId,
  grants,
  onClose,
}: {
  userId: string;
  organizationId: string;
  grants: readonly AccessGrant[];
  onClose: () => void;
}) {
  const stored = grants.filter(({ source }) => source === 'stored');
  const keyOf = ({ type, id }: AccessGrant) => `${type} ${id}`;
  const [chosen, setChosen] = useState(() => stored.filter(({ decided }) => decided).map(keyOf));
  const revoke = useKeyMutation(
    (redpen) =>
      redpen.permissions.remove({
        userId,
        permissions: {
          resources: stored
            .filter((grant) => chosen.includes(keyOf(grant)))
            .map(({ type, id }) => ({ type, id, ...(type !== 'organization' && { organizationId }) })),
        },
      }),
    { renews: RENEWED },
  );
  const submit = async (): Promise<void> => {
    await revoke.mutateAsync(undefined);
    announce('The grants are revoked.');
  };
  return (
    <FormDialog
      title={`Revoke grants of ${userId}?`}
      role="alertdialog"
      isOpen
      isDanger
      submitLabel="Revoke"
      canSubmit={chosen.length > 0}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>Tokens that were made before stay valid until they expire.</p>
      {stored.map((grant) => (
        <CheckInput
          key={keyOf(grant)}
          isSelected={chosen.includes(keyOf(grant))}
          onChange={(isSelected) =>
            setChosen(isSelected ? [...chosen, keyOf(grant)] : chosen.filter((one) => one !== keyOf(grant)))
          }
        >
          {grant.accessRole} of the {grant.type} <code>{grant.id}</code>
        </CheckInput>
      ))}
    </FormDialog>
  );
}
