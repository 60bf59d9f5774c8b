import type { Folder } from '@redpen/client';

/** The id that the API gives to the top level. */
export const ROOT = 'root';

export interface FolderLine {
  folder: Folder;
  depth: number;
}

/** Folders in the order of a tree, each below its parent. */
export const linesOf = (folders: readonly Folder[], depth = 0): FolderLine[] =>
  [...folders]
    .sort((one, other) => one.folderName.localeCompare(other.folderName))
    .flatMap((folder) => [{ folder, depth }, ...linesOf(folder.subFolders ?? [], depth + 1)]);

/** Where a folder can be moved: not into itself, and not below itself. */
export function targetsFor(lines: readonly FolderLine[], folderId: string | undefined): FolderLine[] {
  if (folderId === undefined) return [...lines];
  return lines.filter(({ folder }) => folder.folderId !== folderId && !folder.ancestors.includes(folderId));
}

/** An id for a name: `Our website` becomes `our-website`. Empty if no letter of the name fits. */
export const idFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100);
