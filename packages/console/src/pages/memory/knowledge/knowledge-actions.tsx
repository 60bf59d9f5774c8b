import { Download, Ellipsis, Eye, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { useMay } from '../../../session/session.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';
import { announce } from '../../../ui/toasts.tsx';
import { MEMORY } from '../memory-data.ts';
import type { KnowledgeSource } from './knowledge-data.ts';

export function KnowledgeActions({ source, onOpen }: { source: KnowledgeSource; onOpen: () => void }) {
  const { id, fileName, originalDownloadUrl } = source;
  const mayEdit = useMay('editor');
  const [isDeleting, setDeleting] = useState(false);
  const remove = useKeyMutation((redpen, sourceId: string) => redpen.knowledge.delete({ sourceId }), {
    renews: [MEMORY],
  });
  return (
    <>
      <ActionMenu
        label={`Actions of ${fileName}`}
        trigger={
          <IconButton size="small" label={`Actions of ${fileName}`}>
            <Ellipsis />
          </IconButton>
        }
        entries={[
          { id: 'open', label: 'Show the rules', icon: <Eye size={16} />, onAction: onOpen },
          originalDownloadUrl !== undefined && {
            id: 'download',
            label: 'Download the file',
            icon: <Download size={16} />,
            onAction: () => void window.open(originalDownloadUrl, '_blank', 'noreferrer'),
          },
          mayEdit && {
            id: 'delete',
            label: 'Delete',
            icon: <Trash2 size={16} />,
            isDanger: true,
            onAction: () => setDeleting(true),
          },
        ]}
      />
      <FormDialog
        title={`Delete ${fileName}?`}
        role="alertdialog"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        submitLabel="Delete file"
        isDanger
        onSubmit={async () => {
          await remove.mutateAsync(id);
          announce(`${fileName} is deleted.`);
        }}
      >
        <p>Agents no longer check pages against it. Findings that it led to stay.</p>
      </FormDialog>
    </>
  );
}
