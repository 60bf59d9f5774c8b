import type { Operations } from '@redpen/client';
import { useParams } from '@tanstack/react-router';
import { useKeyPages, useKeyQuery } from '../../data/use-key-query.ts';

type Listed = Operations['/v2/organizations/documents/get']['item'];
export type DocumentOfList = Extract<Listed, { documentName: string }>;

const isFound = (document: Listed): document is DocumentOfList => 'documentName' in document;

/** Ids in an address may hold any character. */
export function usePlace(): { organizationId: string; documentId: string } {
  const { organizationId = '', documentId = '' } = useParams({ strict: false });
  return { organizationId, documentId };
}

export const pathOfOrganization = (organizationId: string): string =>
  `/documents/${encodeURIComponent(organizationId)}`;

export const pathOfDocument = (organizationId: string, documentId: string): string =>
  `${pathOfOrganization(organizationId)}/${encodeURIComponent(documentId)}`;

export const useOrganization = (organizationId: string) =>
  useKeyQuery(
    ['organizations', 'one', organizationId],
    async (redpen, signal) => {
      const [found] = await redpen.organizations.list({ organizationIds: [organizationId] }, { signal });
      return found ?? null;
    },
    { enabled: organizationId !== '' },
  );

export const useFolders = (organizationId: string) =>
  useKeyQuery(['folders', organizationId], (redpen, signal) =>
    redpen.folders.list.all({ organizationId, maxDepth: 30 }, { signal, max: 5_000 }),
  );

export const useDocuments = (organizationId: string, folderId: string | undefined) =>
  useKeyPages(['documents', organizationId, 'list', folderId ?? ''], async (redpen, pageToken, signal) => {
    const { items, next } = await redpen.documents.list.page(
      { organizationId, ...(folderId !== undefined && { folderId }) },
      { signal, ...(pageToken !== undefined && { cursor: pageToken }) },
    );
    return { items: items.filter(isFound), next };
  });

export const useDocument = ({ organizationId, documentId }: { organizationId: string; documentId: string }) =>
  useKeyQuery(['documents', organizationId, 'one', documentId], async (redpen, signal) => {
    const [found] = await redpen.documents.list({ organizationId, documentIds: [documentId] }, { signal });
    return found && isFound(found) ? found : null;
  });
