import { type EventName, events } from '../../events/event-catalog.ts';
import { allowedPlace, ben, samplePlace, type WebhookEvent } from './webhook-event.ts';

const organization = {
  source: 'organization',
  optIn: true,
  allowed: { organizationId: true, disabled: true },
} as const;
const organizationName = { organizationName: true } as const;

const folder = { source: 'folder', optIn: true, allowed: allowedPlace } as const;
const folderName = { folderName: true } as const;

const document = {
  source: 'document',
  allowed: { ...allowedPlace, disabled: true, newDocumentId: true, migrationId: true },
} as const;
const documentName = { documentName: true } as const;

export const userData = events['user.add'].partial({ accessRole: true });
const user = {
  source: 'user',
  data: userData,
  allowed: { ...allowedPlace, userId: true, accessRole: true },
} as const;
const sampleUser = { organizationId: 'acme', ...ben, accessRole: 'editor' };

const userGroup = {
  source: 'userGroup',
  optIn: true,
  allowed: { organizationId: true, organizationUserGroupId: true, userId: true },
} as const;
const sampleGroup = { organizationId: 'acme', organizationUserGroupId: 'designers' };

/** Events of organizations, folders, documents, and the users and groups with access to them. */
export const placeEvents = {
  'document.add': {
    ...document,
    description: 'A document was added, on its own or with its first content.',
    actionType: 'added',
    data: events['document.add'].partial(documentName),
    sample: { ...samplePlace, documentName: 'Pricing' },
  },
  'document.update': {
    ...document,
    description:
      'The name, folder, access type or metadata of a document changed, or it was disabled or enabled.',
    actionType: 'updated',
    data: events['document.update'].partial(documentName),
    sample: { ...samplePlace, documentName: 'Prices', disabled: false },
  },
  'document.delete': {
    ...document,
    description: 'A document was deleted, with everything on it.',
    actionType: 'deleted',
    data: events['document.delete'],
    sample: samplePlace,
  },
  'document.migrate': {
    ...document,
    description: 'A document got a new id, or was merged into another document, with everything on it.',
    actionType: 'migrated',
    data: events['document.migrate'],
    sample: { ...samplePlace, newDocumentId: 'prices-page', migrationId: 'migration_5Hn8' },
  },
  'user.add': {
    ...user,
    description: 'A user was added to an organization, folder or document.',
    actionType: 'added',
    sample: sampleUser,
  },
  'user.update': {
    ...user,
    description: 'A user was changed.',
    actionType: 'updated',
    sample: { ...sampleUser, accessRole: 'viewer' },
  },
  'user.delete': {
    ...user,
    description: 'A user was removed from an organization, folder or document.',
    actionType: 'deleted',
    data: events['user.delete'],
    sample: { organizationId: 'acme', userId: 'ben' },
  },
  'user.data_delete': {
    source: 'user',
    optIn: true,
    description: 'All data of some users was deleted.',
    actionType: 'dataDeleted',
    data: events['user.data_delete'],
    allowed: { jobId: true, userIds: true },
    sample: { jobId: 'deletion_3Wm6', userIds: ['ben'] },
  },
  'organization.add': {
    ...organization,
    description: 'An organization was added.',
    actionType: 'added',
    data: events['organization.add'].partial(organizationName),
    sample: { organizationId: 'acme', organizationName: 'Acme' },
  },
  'organization.update': {
    ...organization,
    description: 'An organization was changed, disabled or enabled.',
    actionType: 'updated',
    data: events['organization.update'].partial(organizationName),
    sample: { organizationId: 'acme', organizationName: 'Acme Ltd', disabled: false },
  },
  'organization.delete': {
    ...organization,
    description: 'An organization was deleted, with everything in it.',
    actionType: 'deleted',
    data: events['organization.delete'],
    sample: { organizationId: 'acme' },
  },
  'folder.add': {
    ...folder,
    description: 'A folder was added.',
    actionType: 'added',
    data: events['folder.add'].partial(folderName),
    sample: { organizationId: 'acme', folderId: 'site', folderName: 'Site' },
  },
  'folder.update': {
    ...folder,
    description: 'A folder was changed.',
    actionType: 'updated',
    data: events['folder.update'].partial(folderName),
    sample: { organizationId: 'acme', folderId: 'site', folderName: 'Website' },
  },
  'folder.delete': {
    ...folder,
    description: 'A folder was deleted.',
    actionType: 'deleted',
    data: events['folder.delete'],
    sample: { organizationId: 'acme', folderId: 'site' },
  },
  'user_group.add': {
    ...userGroup,
    description: 'A user group was added.',
    actionType: 'added',
    data: events['user_group.add'].partial({ groupName: true }),
    sample: { ...sampleGroup, groupName: 'Designers' },
  },
  'user_group.delete': {
    ...userGroup,
    description: 'A user group was deleted.',
    actionType: 'deleted',
    data: events['user_group.delete'],
    sample: sampleGroup,
  },
  'user_group.user_add': {
    ...userGroup,
    description: 'A user was added to a user group.',
    actionType: 'userAdded',
    data: events['user_group.user_add'],
    sample: { ...sampleGroup, userId: 'ben' },
  },
  'user_group.user_delete': {
    ...userGroup,
    description: 'A user was removed from a user group.',
    actionType: 'userDeleted',
    data: events['user_group.user_delete'],
    sample: { ...sampleGroup, userId: 'ben' },
  },
} satisfies Partial<Record<EventName, WebhookEvent>>;
