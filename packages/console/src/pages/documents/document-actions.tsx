import { CodeXml, MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../session/session.tsx';
import { useGo } from '../../shell/key-path.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { EmbedDialog } from './embed-dialog.tsx';
import { linesOf } from './folders.ts';
import { DocumentDialog } from './organization-dialogs.tsx';
import { type DocumentOfList, pathOfOrganization, useFolders } from './use-places.ts';

const callsOf = (place: { organizationId: string; documentId: string }) => [
  {
    title: 'List the threads',
    path: '/v2/commentannotations/get',
    name: 'annotations.list',
    data: place,
  },
  {
    title: 'Begin a thread',
    path: '/v2/commentannotations/add',
    name: 'annotations.add',
    data: {
      ...place,
      commentAnnotations: [
        { commentData: [{ commentText: 'Shorter, please.', from: { userId: 'eve', name: 'Eve' } }] },
      ],
    },
  },
  {
    title: 'Resolve a thread',
    path: '/v2/commentannotations/update',
    name: 'annotations.update',
    data: { ...place, annotationIds: ['headline'], updatedData: { status: { id: 'RESOLVED' } } },
  },
];

/** What can be done with a document as a whole. */
export function DocumentActions({
  organizationId,
  documentId,
  document,
}: {
  organizationId: string;
  documentId: string;
  document: DocumentOfList | null | undefined;
}) {
  const place = { organizationId, documentId };
  const [isEmbedding, setEmbedding] = useState(false);
  const [asked, ask] = useState<'rename' | 'move' | 'delete'>();
  const may = useMay('editor');
  const go = useGo();
  const folders = useFolders(organizationId);
  return (
    <>
      <ShowAsCode calls={callsOf(place)} />
      <Button onPress={() => setEmbedding(true)}>
        <CodeXml /> Show on your page
      </Button>
      {may && document && (
        <ActionMenu
          label="Actions on the document"
          trigger={
            <IconButton label="Actions on the document" variant="default">
              <MoreHorizontal />
            </IconButton>
          }
          entries={[
            { id: 'rename', label: 'Rename', onAction: () => ask('rename') },
            { id: 'move', label: 'Move', onAction: () => ask('move') },
            { id: 'delete', label: 'Delete', isDanger: true, onAction: () => ask('delete') },
          ]}
        />
      )}
      <EmbedDialog place={place} isOpen={isEmbedding} onClose={() => setEmbedding(false)} />
      {asked && document && (
        <DocumentDialog
          organizationId={organizationId}
          lines={linesOf(folders.data ?? [])}
          asked={{ kind: asked, document }}
          onClose={() => ask(undefined)}
          onDeleted={() => go(pathOfOrganization(organizationId))}
        />
      )}
    </>
  );
}
