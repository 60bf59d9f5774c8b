import type { Contact } from '@redpen/client';
import { useAddress } from '../../data/use-address.ts';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ModalDialog } from '../../ui/dialog.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Facts, Note, Row } from '../../ui/stack.tsx';
import { DataTable } from '../../ui/table.tsx';
import { plural } from '../../ui/time.ts';
import { peopleAddressOf } from './people-address.ts';
import { nameOfRole } from './use-people.ts';

/** The organizations in which a user has access, and documents of this one. */
export function UserPanel({
  organizationId,
  user,
  onClose,
}: {
  organizationId: string;
  user: Contact;
  onClose: () => void;
}) {
  const { userId } = user;
  const organizations = useKeyQuery(['people', 'organizations', userId], (redpen, signal) =>
    redpen.users.organizations({ userId, pageSize: 100 }, { signal }),
  );
  const documents = useKeyQuery(['people', 'documents', organizationId, userId], async (redpen, signal) => {
    const asked = { organizationId, userIds: [userId], includeInvolvedDocuments: true };
    const [found] = await redpen.users.listInDocuments(asked, { signal });
    return found?.involvedDocumentIds ?? [];
  });
  return (
    <ModalDialog title={user.name || userId} kind="side" isOpen onClose={onClose}>
      <Facts
        facts={[
          ['User id', <code key="id">{userId}</code>],
          ['Email', user.email || 'None'],
        ]}
      />
      <h3>Organizations</h3>
      <QueryView query={organizations}>
        {(rows) =>
          rows.length === 0 ? (
            <Note>Nothing is granted by an operation. Tokens may grant something.</Note>
          ) : (
            <DataTable
              label="Organizations of the user"
              rows={rows}
              keyOf={(row) => row.organizationId}
              columns={[
                {
                  id: 'name',
                  header: 'Organization',
                  kind: 'main',
                  cell: (row) => row.organizationName || row.organizationId,
                },
                {
                  id: 'role',
                  header: 'Role',
                  kind: 'tight',
                  cell: ({ accessRole }) => (
                    <Badge>{accessRole ? nameOfRole(accessRole) : 'Only parts'}</Badge>
                  ),
                },
                {
                  id: 'more',
                  header: 'Granted in it',
                  kind: 'tight',
                  cell: (row) => `${plural(row.folders, 'folder')}, ${plural(row.documents, 'document')}`,
                },
              ]}
            />
          )
        }
      </QueryView>
      <h3>Documents granted in {organizationId}</h3>
      <QueryView query={documents}>
        {(ids) =>
          ids.length === 0 ? (
            <Note>
              None by name. The organization, a folder or the access type may open documents all the same.
            </Note>
          ) : (
            <ul>
              {ids.map((documentId) => (
                <DocumentLine key={documentId} userId={userId} documentId={documentId} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </ModalDialog>
  );
}

function DocumentLine({ userId, documentId }: { userId: string; documentId: string }) {
  const [, change] = useAddress(peopleAddressOf);
  return (
    <li>
      <Row>
        <code>{documentId}</code>
        <Button
          size="small"
          variant="quiet"
          aria-label={`Why the user may open ${documentId}`}
          onPress={() => change({ tab: 'why', user: userId, kind: 'document', document: documentId })}
        >
          Why
        </Button>
      </Row>
    </li>
  );
}
