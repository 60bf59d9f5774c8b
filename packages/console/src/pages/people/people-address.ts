import { type AddressSearch, choiceIn, textIn } from '../../data/use-address.ts';

export interface PeopleAddress {
  tab: 'users' | 'groups' | 'why';
  organization: string | undefined;
  /** Words of a name or an email. */
  text: string | undefined;
  /** The user whose access is explained. */
  user: string | undefined;
  /** The kind of place to which access is explained; `organization` is the organization itself. */
  kind: 'document' | 'folder' | 'organization';
  document: string | undefined;
  folder: string | undefined;
}

export const peopleAddressOf = (search: AddressSearch): PeopleAddress => ({
  tab: choiceIn(search, 'tab', ['users', 'groups', 'why']),
  organization: textIn(search, 'organization'),
  text: textIn(search, 'text'),
  user: textIn(search, 'user'),
  kind: choiceIn(search, 'kind', ['document', 'folder', 'organization']),
  document: textIn(search, 'document'),
  folder: textIn(search, 'folder'),
});
