import { Link } from '@tanstack/react-router';
import { Files, FileX, Folder as FolderIcon, FolderLock, MoreHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { ActionMenu, type MenuEntry } from '../../ui/menu.tsx';
import styles from './documents.module.css';
import { type FolderLine, ROOT } from './folders.ts';

const Entry = ({
  folderId,
  isCurrent,
  icon,
  depth = 0,
  children,
  menu,
}: {
  folderId: string | undefined;
  isCurrent: boolean;
  icon: ReactNode;
  depth?: number;
  children: ReactNode;
  menu?: ReactNode;
}) => (
  <li className={styles.folder} data-current={isCurrent || undefined} data-depth={Math.min(depth, 6)}>
    <Link
      to="."
      search={(folderId === undefined ? {} : { folder: folderId }) as never}
      aria-current={isCurrent ? 'true' : undefined}
      activeProps={{}}
    >
      {icon}
      <span>{children}</span>
    </Link>
    {menu}
  </li>
);

/** The folders of an organization as a tree of links; the chosen one is in the address. */
export function FolderList({
  lines,
  current,
  entriesOf,
}: {
  lines: readonly FolderLine[];
  current: string | undefined;
  /** What can be done with a folder; none for members who may only read. */
  entriesOf: ((line: FolderLine) => MenuEntry[]) | undefined;
}) {
  return (
    <nav aria-label="Folders" className={styles.folders}>
      <ul>
        <Entry folderId={undefined} isCurrent={current === undefined} icon={<Files size={16} aria-hidden />}>
          All documents
        </Entry>
        <Entry folderId={ROOT} isCurrent={current === ROOT} icon={<FileX size={16} aria-hidden />}>
          Without a folder
        </Entry>
        {lines.map((line) => {
          const { folderId, folderName, accessType } = line.folder;
          const Icon = accessType === 'restricted' ? FolderLock : FolderIcon;
          return (
            <Entry
              key={folderId}
              folderId={folderId}
              isCurrent={current === folderId}
              depth={line.depth}
              icon={<Icon size={16} aria-hidden />}
              menu={
                entriesOf && (
                  <ActionMenu
                    label={`Actions on ${folderName}`}
                    trigger={
                      <IconButton label={`Actions on ${folderName}`} size="small">
                        <MoreHorizontal />
                      </IconButton>
                    }
                    entries={entriesOf(line)}
                  />
                )
              }
            >
              {folderName}
            </Entry>
          );
        })}
      </ul>
    </nav>
  );
}
