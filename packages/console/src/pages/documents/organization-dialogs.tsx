import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { announce } from '../../ui/toasts.tsx';
import type { FolderLine } from './folders.ts';
import { CreateDialog, DeleteDialog, MoveDialog, usePlaceChanges } from './place-dialogs.tsx';
import type { DocumentOfList } from './use-places.ts';

export type Asked =
  | { kind: 'new-document' | 'new-folder' }
  | { kind: 'rename-folder' | 'move-folder' | 'delete-folder'; folder: FolderLine['folder'] }
  | { kind: 'rename' | 'move' | 'delete'; document: DocumentOfList }
  | undefined;

interface DialogProps {
  organizationId: string;
  lines: readonly FolderLine[];
  /** The folder that the page shows. */
  current: string | undefined;
  asked: Asked;
  onClose: () => void;
  /** Called when the folder that was asked about is gone. */
  onDeleted?: (() => void) | undefined;
}

/** The dialog that was asked for. */
export function OrganizationDialogs(props: DialogProps) {
  const { asked } = props;
  if (!asked) return null;
  // The list of the folder stays when one of its documents goes.
  if ('document' in asked) return <DocumentDialog {...props} asked={asked} onDeleted={undefined} />;
  if ('folder' in asked) return <FolderDialog {...props} asked={asked} />;
  return <NewDialog {...props} asked={asked} />;
}

function NewDialog({
  organizationId,
  lines,
  current,
  asked,
  onClose,
}: DialogProps & { asked: { kind: 'new-document' | 'new-folder' } }) {
  const { addDocument, addFolder } = usePlaceChanges(organizationId);
  const isFolder = asked.kind === 'new-folder';
  return (
    <CreateDialog
      title={isFolder ? 'New folder' : 'New document'}
      example={isFolder ? 'Website' : 'Our website'}
      lines={lines}
      folderId={current}
      hasAccess
      onClose={onClose}
      onCreate={({ id, name, folderId, ...access }) =>
        isFolder
          ? addFolder.mutateAsync({ folderId: id, folderName: name, parentFolderId: folderId, ...access })
          : addDocument.mutateAsync({ documentId: id, documentName: name, folderId, ...access })
      }
    />
  );
}

function FolderDialog({
  organizationId,
  lines,
  asked: { kind, folder },
  onClose,
  onDeleted,
}: DialogProps & { asked: { kind: string; folder: FolderLine['folder'] } }) {
  const { updateFolder, deleteFolder } = usePlaceChanges(organizationId);
  const { folderId, folderName, parentFolderId } = folder;
  switch (kind) {
    case 'rename-folder':
      return (
        <RenameDialog
          what="folder"
          name={folderName}
          onClose={onClose}
          onRename={(name) => updateFolder.mutateAsync({ folderId, folderName: name })}
        />
      );
    case 'move-folder':
      return (
        <MoveDialog
          name={folderName}
          lines={lines}
          folderId={parentFolderId}
          ownFolderId={folderId}
          onClose={onClose}
          onMove={(parent) => updateFolder.mutateAsync({ folderId, parentFolderId: parent })}
        />
      );
    default:
      return (
        <DeleteDialog
          what="folder"
          name={folderName}
          goes="Its subfolders go with it, and all documents in them with their threads, live content, knowledge and judgments. Move documents that you want to keep."
          wantsName
          onClose={onClose}
          onDelete={async () => {
            await deleteFolder.mutateAsync(folderId);
            announce(`${folderName} is deleted`);
            onDeleted?.();
          }}
        />
      );
  }
}

/** Also on the page of the document itself. */
export function DocumentDialog({
  organizationId,
  lines,
  asked: { kind, document },
  onClose,
  onDeleted,
}: Omit<DialogProps, 'asked' | 'current'> & { asked: { kind: string; document: DocumentOfList } }) {
  const { updateDocument, moveDocument, deleteDocument } = usePlaceChanges(organizationId);
  const { id: documentId, documentName, folderId = 'root' } = document;
  const name = documentName || documentId;
  switch (kind) {
    case 'rename':
      return (
        <RenameDialog
          what="document"
          name={name}
          onClose={onClose}
          onRename={(renamed) => updateDocument.mutateAsync({ documentId, documentName: renamed })}
        />
      );
    case 'move':
      return (
        <MoveDialog
          name={name}
          lines={lines}
          folderId={folderId}
          onClose={onClose}
          onMove={(target) => moveDocument.mutateAsync({ documentId, folderId: target })}
        />
      );
    default:
      return (
        <DeleteDialog
          what="document"
          name={name}
          goes="Its threads and suggestions go with it, and its notifications, grants, live content, activities, judgments and knowledge."
          onClose={onClose}
          onDelete={async () => {
            await deleteDocument.mutateAsync(documentId);
            announce(`${name} is deleted`);
            onDeleted?.();
          }}
        />
      );
  }
}
