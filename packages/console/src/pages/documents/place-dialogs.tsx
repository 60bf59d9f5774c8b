import { useState } from 'react';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { type Choice, SelectInput, TextInput } from '../../ui/field.tsx';
import { type FolderLine, idFrom, ROOT, targetsFor } from './folders.ts';

export type AccessType = 'public' | 'organizationPrivate' | 'restricted';

export const ACCESS: Record<AccessType, { label: string; hint: string }> = {
  public: { label: 'Public', hint: 'All users of the API key' },
  organizationPrivate: { label: 'Organization', hint: 'Users of the organization' },
  restricted: { label: 'Restricted', hint: 'Only users with a grant on it or on a folder around it' },
};

const ACCESS_CHOICES: readonly Choice<AccessType | ''>[] = [
  { id: '', label: 'As the folder around it' },
  ...(['public', 'organizationPrivate', 'restricted'] as const).map((id) => ({ id, ...ACCESS[id] })),
];

const depthName = ({ folder, depth }: FolderLine): string => `${'– '.repeat(depth)}${folder.folderName}`;

export const folderChoices = (lines: readonly FolderLine[], top = 'No folder'): Choice[] => [
  { id: ROOT, label: top },
  ...lines.map((line) => ({ id: line.folder.folderId, label: depthName(line) })),
];

/** Asks for a name and an id, which is made of the name until the person writes another. */
export function CreateDialog({
  title,
  example,
  lines,
  folderId,
  hasAccess,
  onClose,
  onCreate,
}: {
  title: string;
  /** An example of a name. */
  example: string;
  /** Folders among which to choose the place. */
  lines?: readonly FolderLine[];
  folderId?: string | undefined;
  hasAccess?: boolean;
  onClose: () => void;
  onCreate: (made: {
    id: string;
    name: string;
    folderId: string;
    accessType?: AccessType;
  }) => Promise<unknown>;
}) {
  const [name, setName] = useState('');
  const [ownId, setOwnId] = useState<string>();
  const [folder, setFolder] = useState(folderId ?? ROOT);
  const [access, setAccess] = useState<AccessType | ''>('');
  const id = ownId ?? idFrom(name);
  return (
    <FormDialog
      title={title}
      isOpen
      onClose={onClose}
      submitLabel="Create"
      canSubmit={name.trim() !== '' && id.trim() !== ''}
      onSubmit={() =>
        onCreate({
          id: id.trim(),
          name: name.trim(),
          folderId: folder,
          ...(access && { accessType: access }),
        })
      }
    >
      <TextInput label="Name" value={name} onChange={setName} placeholder={example} autoFocus />
      <TextInput
        label="Id"
        isMono
        value={id}
        onChange={setOwnId}
        hint="Requests name it by this id. It stays when the name changes."
      />
      {lines && (
        <SelectInput label="Folder" choices={folderChoices(lines)} value={folder} onChange={setFolder} />
      )}
      {hasAccess && (
        <SelectInput label="Who may open it" choices={ACCESS_CHOICES} value={access} onChange={setAccess} />
      )}
    </FormDialog>
  );
}

export function MoveDialog({
  name,
  lines,
  folderId,
  ownFolderId,
  onClose,
  onMove,
}: {
  name: string;
  lines: readonly FolderLine[];
  /** Where it is now. */
  folderId: string;
  /** The folder that is moved, which cannot be its own place. */
  ownFolderId?: string;
  onClose: () => void;
  onMove: (folderId: string) => Promise<unknown>;
}) {
  const [target, setTarget] = useState(folderId);
  return (
    <FormDialog
      title={`Move “${name}”`}
      isOpen
      onClose={onClose}
      submitLabel="Move"
      canSubmit={target !== folderId}
      onSubmit={() => onMove(target)}
    >
      <SelectInput
        label="Folder"
        choices={folderChoices(targetsFor(lines, ownFolderId), ownFolderId ? 'Top level' : 'No folder')}
        value={target}
        onChange={setTarget}
        hint="What has no access type of its own takes over that of the folder."
      />
    </FormDialog>
  );
}

/** Asks before something is deleted, says what goes with it, and for large things wants the name. */
export function DeleteDialog({
  what,
  name,
  goes,
  wantsName,
  onClose,
  onDelete,
}: {
  what: string;
  name: string;
  /** What is deleted with it, as a sentence. */
  goes: string;
  wantsName?: boolean;
  onClose: () => void;
  onDelete: () => Promise<unknown>;
}) {
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={`Delete the ${what} “${name}”`}
      role="alertdialog"
      isOpen
      onClose={onClose}
      submitLabel="Delete"
      isDanger
      canSubmit={!wantsName || typed === name}
      onSubmit={onDelete}
    >
      <p>{goes} This cannot be undone.</p>
      {wantsName && (
        <TextInput label={`Write “${name}” to confirm`} value={typed} onChange={setTyped} autoFocus />
      )}
    </FormDialog>
  );
}

/** The first refusal among the results of a request for several entries, as an error. */
export function mustSucceed(results: Record<string, { success: boolean; message: string }>): void {
  const refused = Object.values(results).find(({ success }) => !success);
  if (refused) throw new Error(refused.message);
}

/** What changes folders and documents of an organization; lists are read again after each change. */
export function usePlaceChanges(organizationId: string) {
  const renews = { renews: [['documents'], ['folders'], ['organizations']] };
  const addFolder = useKeyMutation(
    async (
      redpen,
      folder: { folderId: string; folderName: string; parentFolderId: string; accessType?: AccessType },
    ) =>
      mustSucceed(await redpen.folders.add({ organizationId, createOrganization: false, folders: [folder] })),
    renews,
  );
  const addDocument = useKeyMutation(
    async (
      redpen,
      {
        folderId,
        ...document
      }: { documentId: string; documentName: string; folderId: string; accessType?: AccessType },
    ) =>
      mustSucceed(
        await redpen.documents.add({
          organizationId,
          createOrganization: false,
          documents: [document],
          ...(folderId !== ROOT && { folderId, createFolder: false }),
        }),
      ),
    renews,
  );
  const updateFolder = useKeyMutation(
    async (redpen, folder: { folderId: string; folderName?: string; parentFolderId?: string }) =>
      mustSucceed(await redpen.folders.update({ organizationId, folders: [folder] })),
    renews,
  );
  const updateDocument = useKeyMutation(
    async (redpen, document: { documentId: string; documentName?: string; accessType?: AccessType }) =>
      mustSucceed(await redpen.documents.update({ organizationId, documents: [document] })),
    renews,
  );
  const moveDocument = useKeyMutation(
    (redpen, { documentId, folderId }: { documentId: string; folderId: string }) =>
      redpen.documents.move({ organizationId, documentIds: [documentId], folderId }),
    renews,
  );
  const deleteFolder = useKeyMutation(
    (redpen, folderId: string) => redpen.folders.delete({ organizationId, folderId }),
    renews,
  );
  const deleteDocument = useKeyMutation(
    async (redpen, documentId: string) =>
      mustSucceed(await redpen.documents.delete({ organizationId, documentIds: [documentId] })),
    renews,
  );
  return {
    addFolder,
    addDocument,
    updateFolder,
    updateDocument,
    moveDocument,
    deleteFolder,
    deleteDocument,
  };
}
