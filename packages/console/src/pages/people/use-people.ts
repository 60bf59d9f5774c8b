import type { Contact, Document, Organization } from '@redpen/client';
import { useKeyPages, useKeyQuery } from '../../data/use-key-query.ts';

export const USERS = ['people', 'users'] as const;
export const GROUPS = ['people', 'groups'] as const;
export const EXPLANATION = ['people', 'explanation'] as const;

/** More are found by typing their id. */
const MOST = 500;

export const useOrganizations = () =>
  useKeyQuery<Organization[]>(['organizations', 'choice'], (redpen, signal) =>
    redpen.organizations.all({ pageSize: 500 }, { max: MOST, signal }),
  );

export const useDocuments = (organizationId: string) =>
  useKeyQuery<Document[]>(['documents', 'choice', organizationId], async (redpen, signal) => {
    const found = await redpen.documents.all({ organizationId, pageSize: 500 }, { max: MOST, signal });
    return found.filter((document): document is Document => 'documentName' in document);
  });

/** The users of an organization itself, or those whose name or email has the words. */
export const useUsers = (organizationId: string, text: string | undefined) =>
  useKeyPages<Contact>([...USERS, organizationId, text ?? ''], async (redpen, cursor, signal) => {
    const asked = { organizationId, pageSize: 50, ...(text && { text }) };
    const { items, next } = await redpen.users.page(asked, { cursor, signal });
    return { items, next };
  });

/** `editor` becomes `Editor`. */
export const nameOfRole = (role: string): string => role.charAt(0).toUpperCase() + role.slice(1);
