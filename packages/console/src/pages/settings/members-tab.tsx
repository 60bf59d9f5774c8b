import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import {
  changeRole,
  type Invitation,
  inviteMember,
  listInvitations,
  listMembers,
  type Member,
  removeMember,
  revokeInvitation,
} from '../../data/identity.ts';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../data/use-workspace-query.ts';
import { type Role, useMay, useSession } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { RadioInput, TextInput } from '../../ui/field.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { Facts, Note, Row } from '../../ui/stack.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.ts';
import { announce } from '../../ui/toasts.tsx';

const MEMBERS = ['members'] as const;
const INVITATIONS = ['invitations'] as const;

const COPIED_SECRETS =
  'An owner may have copied secrets, which still work: replace the auth token of the workspace, those of its API keys, and the secrets of its webhooks.';

const ROLES: readonly { id: Role; label: string; hint: string }[] = [
  { id: 'viewer', label: 'Viewer', hint: 'sees everything but secrets, and changes nothing' },
  {
    id: 'editor',
    label: 'Editor',
    hint: 'also reviews, decides, comments, and changes documents and people',
  },
  { id: 'owner', label: 'Owner', hint: 'also keys, tokens, secrets and members' },
];

/** The people who work in this console, and their roles. */
export function MembersTab() {
  const isOwner = useMay('owner');
  const members = useWorkspaceQuery<Member[]>(MEMBERS, listMembers);
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<string>();
  return (
    <>
      <Card
        title="Members"
        lead="People who work in this console. Users of your product are on the page People and access."
        isFlush
        actions={
          isOwner && (
            <Button variant="primary" onPress={() => setInviting(true)}>
              <Plus /> Invite
            </Button>
          )
        }
      >
        <QueryView query={members}>{(rows) => <MemberTable members={rows} />}</QueryView>
      </Card>
      {isOwner ? <InvitationsCard /> : <Note>Owners invite members and change their roles.</Note>}
      <Card title="Roles">
        <Facts facts={ROLES.map(({ label, hint }) => [label, hint])} />
      </Card>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} onInvited={setLink} />}
      {link !== undefined && (
        <SecretOnce title="The invitation" label="Link" secret={link} onClose={() => setLink(undefined)}>
          Send this link to the person. It works once, and is not shown again.
        </SecretOnce>
      )}
    </>
  );
}

function MemberTable({ members }: { members: readonly Member[] }) {
  const { account } = useSession();
  const isOwner = useMay('owner');
  const [opened, setOpened] = useState<{ action: 'role' | 'remove'; member: Member }>();
  const close = () => setOpened(undefined);
  const columns: readonly Column<Member>[] = [
    {
      id: 'name',
      header: 'Name',
      kind: 'main',
      cell: ({ name, email }) => (
        <Row>
          {name} {email !== null && email === account.email && <Badge tone="good">You</Badge>}
        </Row>
      ),
    },
    { id: 'email', header: 'Email', cell: ({ email }) => email ?? <Note>No address</Note> },
    {
      id: 'role',
      header: 'Role',
      kind: 'tight',
      cell: ({ role }) => <Badge>{ROLES.find(({ id }) => id === role)?.label ?? role}</Badge>,
    },
    {
      id: 'seen',
      header: 'Last seen',
      isNamedWhenNarrow: true,
      kind: 'tight',
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? 'Never' : <Time at={lastSeenAt} />),
    },
    {
      id: 'more',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: (member) =>
        isOwner && (
          <ActionMenu
            label={`Actions for ${member.name}`}
            trigger={
              <IconButton size="small" label={`Actions for ${member.name}`}>
                <Ellipsis />
              </IconButton>
            }
            entries={[
              { id: 'role', label: 'Change role', onAction: () => setOpened({ action: 'role', member }) },
              {
                id: 'remove',
                label: 'Remove',
                isDanger: true,
                onAction: () => setOpened({ action: 'remove', member }),
              },
            ]}
          />
        ),
    },
  ];
  return (
    <>
      <DataTable label="Members" columns={columns} rows={members} keyOf={({ memberId }) => memberId} />
      {opened?.action === 'role' && <RoleDialog member={opened.member} onClose={close} />}
      {opened?.action === 'remove' && <RemoveDialog member={opened.member} onClose={close} />}
    </>
  );
}

function InvitationsCard() {
  const invitations = useWorkspaceQuery<Invitation[]>(INVITATIONS, listInvitations);
  const revoke = useWorkspaceMutation((redpen, id: string) => revokeInvitation(redpen, id), {
    renews: [INVITATIONS],
  });
  const columns: readonly Column<Invitation>[] = [
    { id: 'email', header: 'Email', kind: 'main', cell: ({ email }) => email },
    {
      id: 'role',
      header: 'Role',
      kind: 'tight',
      cell: ({ role }) => <Badge>{ROLES.find(({ id }) => id === role)?.label ?? role}</Badge>,
    },
    { id: 'end', header: 'Expires', kind: 'tight', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      id: 'revoke',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: ({ invitationId, email }) => (
        <Button
          size="small"
          variant="danger"
          aria-label={`Take back the invitation of ${email}`}
          onPress={() => revoke.mutate(invitationId)}
        >
          Take back
        </Button>
      ),
    },
  ];
  return (
    <QueryView query={invitations} loading={null}>
      {(rows) =>
        rows.length > 0 && (
          <Card title="Open invitations" isFlush>
            <DataTable
              label="Open invitations"
              columns={columns}
              rows={rows}
              keyOf={({ invitationId }) => invitationId}
            />
            {revoke.error && <Failure error={revoke.error} />}
          </Card>
        )
      }
    </QueryView>
  );
}

function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: (url: string) => void }) {
  const { service } = useSession();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const invite = useWorkspaceMutation(
    (redpen) =>
      inviteMember(redpen, { email: email.trim(), role, ...(name.trim() && { name: name.trim() }) }),
    { renews: [INVITATIONS] },
  );
  const submit = async (): Promise<void> => onInvited((await invite.mutateAsync(undefined)).url);
  return (
    <FormDialog
      title="Invite a member"
      isOpen
      onClose={onClose}
      submitLabel="Invite"
      canSubmit={email.trim() !== ''}
      onSubmit={submit}
    >
      <TextInput label="Email" type="email" autoFocus value={email} onChange={setEmail} />
      <TextInput label="Name" isOptional value={name} onChange={setName} />
      <RadioInput label="Role" choices={ROLES} value={role} onChange={setRole} />
      <Note>
        {service.mail
          ? 'The service mails a link, and shows it to you.'
          : 'The service sends no mail. It shows you a link to pass on.'}
      </Note>
    </FormDialog>
  );
}

function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(member.role);
  const change = useWorkspaceMutation((redpen) => changeRole(redpen, { memberId: member.memberId, role }), {
    renews: [MEMBERS],
  });
  const submit = async (): Promise<void> => {
    await change.mutateAsync(undefined);
    announce('The role is changed.');
  };
  return (
    <FormDialog
      title={`Role of ${member.name}`}
      isOpen
      onClose={onClose}
      submitLabel="Save"
      onSubmit={submit}
    >
      <RadioInput label="Role" choices={ROLES} value={role} onChange={setRole} />
      {member.role === 'owner' && role !== 'owner' && <Note>{COPIED_SECRETS}</Note>}
    </FormDialog>
  );
}

function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const remove = useWorkspaceMutation((redpen) => removeMember(redpen, member.memberId), {
    renews: [MEMBERS],
  });
  return (
    <FormDialog
      title={`Remove ${member.name}?`}
      role="alertdialog"
      isOpen
      isDanger
      submitLabel="Remove member"
      onClose={onClose}
      onSubmit={() => remove.mutateAsync(undefined)}
    >
      <p>
        The person can no longer open this workspace, and the personal tokens for it are deleted. What the
        person wrote stays.
      </p>
      {member.role === 'owner' && <p>{COPIED_SECRETS}</p>}
    </FormDialog>
  );
}
