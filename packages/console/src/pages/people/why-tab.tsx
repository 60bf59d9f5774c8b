import type { AccessExplanation } from '@redpen/client';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { AddressInput } from '../../data/address-field.tsx';
import { useAddress } from '../../data/use-address.ts';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Columns, Note, Row } from '../../ui/stack.tsx';
import { type AskedPlace, type RuleLine, rulesOf, sentenceOf } from './access-rules.ts';
import { GrantDialog, RevokeGrantDialog } from './grant-dialogs.tsx';
import styles from './people.module.css';
import { type PeopleAddress, peopleAddressOf } from './people-address.ts';
import { EXPLANATION, useDocuments, useUsers } from './use-people.ts';

/** Says what a user may do on something, and by which rule. */
export function WhyTab({ organizationId }: { organizationId: string }) {
  const [address, change] = useAddress(peopleAddressOf);
  const documents = useDocuments(organizationId);
  const documentId = address.document ?? documents.data?.[0]?.id;
  const place = placeOf(address, organizationId, documentId);
  return (
    <>
      <Question
        address={address}
        organizationId={organizationId}
        documentId={documentId}
        documents={documents.data ?? []}
        onChange={change}
      />
      {address.user === undefined || !place ? (
        <Note>Choose a user and what is to be opened.</Note>
      ) : (
        <Answer userId={address.user} place={place} />
      )}
    </>
  );
}

function placeOf(
  { kind, folder }: PeopleAddress,
  organizationId: string,
  documentId: string | undefined,
): AskedPlace | undefined {
  if (kind === 'organization') return { organizationId };
  if (kind === 'folder') return folder === undefined ? undefined : { organizationId, folderId: folder };
  return documentId === undefined ? undefined : { organizationId, documentId };
}

const KINDS = [
  { id: 'document', label: 'A document' },
  { id: 'folder', label: 'A folder' },
  { id: 'organization', label: 'The organization itself' },
] as const;

function Question({
  address,
  organizationId,
  documentId,
  documents,
  onChange,
}: {
  address: PeopleAddress;
  organizationId: string;
  documentId: string | undefined;
  documents: readonly { id: string; documentName: string }[];
  onChange: (values: Record<string, string | undefined>) => void;
}) {
  const users = useUsers(organizationId, undefined);
  const choices = users.items.map(({ userId, name }) => ({
    id: userId,
    label: name || userId,
    ...(name && { hint: userId }),
  }));
  const isListed = address.user === undefined || choices.some(({ id }) => id === address.user);
  return (
    <Columns>
      {choices.length > 0 && (
        <SelectInput
          label="User"
          placeholder="Choose a user"
          choices={isListed ? choices : [{ id: address.user!, label: address.user! }, ...choices]}
          value={address.user}
          onChange={(user) => onChange({ user })}
        />
      )}
      <AddressInput
        label={choices.length > 0 ? 'Or the id of any user' : 'User id'}
        isMono
        value={address.user ?? ''}
        onChange={(user) => onChange({ user: user || undefined })}
      />
      <SelectInput
        label="May open"
        choices={KINDS}
        value={address.kind}
        onChange={(kind) => onChange({ kind })}
      />
      {address.kind === 'document' && (
        <SelectInput
          label="Document"
          placeholder="No documents yet"
          choices={[
            ...documents.map(({ id, documentName }) => ({ id, label: documentName || id, hint: id })),
            ...(documentId === undefined || documents.some(({ id }) => id === documentId)
              ? []
              : [{ id: documentId, label: documentId }]),
          ]}
          value={documentId}
          onChange={(document) => onChange({ document })}
        />
      )}
      {address.kind === 'folder' && (
        <AddressInput
          label="Folder id"
          isMono
          value={address.folder ?? ''}
          onChange={(folder) => onChange({ folder: folder || undefined })}
        />
      )}
    </Columns>
  );
}

const ROLE_LOOK = {
  none: { tone: 'bad', label: 'No access' },
  viewer: { tone: 'neutral', label: 'Viewer' },
  editor: { tone: 'good', label: 'Editor' },
} as const;

function Answer({ userId, place }: { userId: string; place: AskedPlace }) {
  const mayEdit = useMay('editor');
  const [action, setAction] = useState<'grant' | 'revoke'>();
  const explanation = useKeyQuery<AccessExplanation>(
    [...EXPLANATION, userId, place],
    (redpen, signal) => redpen.permissions.explain({ userId, ...place }, { signal }),
    { keepsPrevious: true },
  );
  return (
    <QueryView query={explanation}>
      {(found) => (
        <Card
          title={<Badge tone={ROLE_LOOK[found.accessRole].tone}>{ROLE_LOOK[found.accessRole].label}</Badge>}
          actions={
            mayEdit && (
              <Row>
                <Button onPress={() => setAction('grant')}>Grant access</Button>
                <Button
                  variant="danger"
                  isDisabled={!found.grants.some(({ source }) => source === 'stored')}
                  onPress={() => setAction('revoke')}
                >
                  Revoke
                </Button>
              </Row>
            )
          }
        >
          <div role="status">
            <p className={styles.sentence}>{sentenceOf(userId, place, found)}</p>
            <p>{found.reason}</p>
          </div>
          <RuleTree rules={rulesOf(found, place)} />
          <Note>Only stored grants count here. A token of the user may grant more until it expires.</Note>
          {action === 'grant' && (
            <GrantDialog userId={userId} place={place} onClose={() => setAction(undefined)} />
          )}
          {action === 'revoke' && (
            <RevokeGrantDialog
              userId={userId}
              organizationId={place.organizationId}
              grants={found.grants}
              onClose={() => setAction(undefined)}
            />
          )}
        </Card>
      )}
    </QueryView>
  );
}

const OUTCOMES: Record<RuleLine['outcome'], string> = {
  decided: 'This rule decided.',
  passed: 'Passed over.',
  unreached: 'Not reached.',
};

/** The rules in their order, with the one that decided marked by shape, words and color. */
const RuleTree = ({ rules }: { rules: readonly RuleLine[] }) => (
  <ol className={styles.rules} aria-label="Rules in their order">
    {rules.map(({ id, question, answer, outcome }, index) => (
      <li key={id} className={`${styles.rule} ${styles[outcome] ?? ''}`} data-outcome={outcome}>
        <span className={styles.mark} aria-hidden>
          {outcome === 'decided' ? <Check size={14} strokeWidth={3} /> : index + 1}
        </span>
        <p className={styles.question}>{question}</p>
        <p>
          {outcome === 'unreached' ? OUTCOMES.unreached : answer}{' '}
          {outcome === 'decided' && <b>{OUTCOMES.decided}</b>}
        </p>
      </li>
    ))}
  </ol>
);
