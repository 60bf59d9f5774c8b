import { expect, test } from 'vitest';
import type { DocumentFacts } from '../store/access/access-facts.ts';
import { type AccessGrant, decide } from './decide.ts';

const NOW = 1_000_000;
const document: DocumentFacts = {
  organizationId: 'acme',
  documentId: 'home',
  disabled: false,
  organizationDisabled: false,
  accessType: 'organizationPrivate',
  folderIds: ['inner', 'outer'],
};

/** Parses `token viewer folder/outer`, optionally followed by ` expired` or ` for a while`. */
function grantOf(text: string): AccessGrant {
  const [source, accessRole, place = '', ...rest] = text.split(' ');
  const [type, id = ''] = place.split('/');
  const time = rest.join(' ');
  return {
    source: source as AccessGrant['source'],
    accessRole: accessRole as AccessGrant['accessRole'],
    type: type as AccessGrant['type'],
    id,
    ...(time === 'expired' && { expiresAt: NOW }),
    ...(time === 'for a while' && { expiresAt: NOW + 1 }),
  };
}

const cases: [
  name: string,
  facts: Partial<DocumentFacts> & { isAdmin?: true },
  grants: string[],
  role: string,
  reason: RegExp,
][] = [
  ['nothing granted, private to the organization', {}, [], 'none', /organizationPrivate, and nothing/],
  ['nothing granted, restricted', { accessType: 'restricted' }, [], 'none', /restricted, and nothing/],
  ['nothing granted, public', { accessType: 'public' }, [], 'editor', /is public/],
  ['organization editor', {}, ['token editor organization/acme'], 'editor', /token grants editor on the org/],
  ['organization viewer', {}, ['stored viewer organization/acme'], 'viewer', /stored as viewer of the org/],
  ['another organization', {}, ['token editor organization/other'], 'none', /nothing is granted/],
  [
    'organization viewer on a public document',
    { accessType: 'public' },
    ['token viewer organization/acme'],
    'viewer',
    /viewer/,
  ],
  [
    'organization editor on a restricted document',
    { accessType: 'restricted' },
    ['token editor organization/acme'],
    'none',
    /restricted, which .* does not open: the token grants/,
  ],
  [
    'document viewer on a restricted document',
    { accessType: 'restricted' },
    ['token editor organization/acme', 'stored viewer document/home'],
    'viewer',
    /viewer of the document home/,
  ],
  [
    'folder editor on a restricted document',
    { accessType: 'restricted' },
    ['stored editor folder/outer'],
    'editor',
    /folder outer/,
  ],
  [
    'the document goes before its folders',
    {},
    ['token viewer document/home', 'token editor folder/inner', 'token editor organization/acme'],
    'viewer',
    /document home/,
  ],
  [
    'the nearest folder goes before those above',
    {},
    ['token editor folder/outer', 'stored viewer folder/inner'],
    'viewer',
    /folder inner/,
  ],
  [
    'a folder goes before the organization',
    {},
    ['stored viewer folder/outer', 'token editor organization/acme'],
    'viewer',
    /folder outer/,
  ],
  ['a folder elsewhere', {}, ['token editor folder/elsewhere'], 'none', /nothing is granted/],
  [
    'at one level the token wins, also to take away',
    {},
    ['stored editor document/home', 'token viewer document/home'],
    'viewer',
    /token/,
  ],
  [
    'an expired token grant leaves the stored one',
    {},
    ['token viewer document/home expired', 'stored editor document/home'],
    'editor',
    /stored/,
  ],
  ['a grant that has just expired', {}, ['token editor document/home expired'], 'none', /nothing is granted/],
  ['a grant that is about to expire', {}, ['token editor document/home for a while'], 'editor', /token/],
  [
    'an expired document grant leaves the folder',
    {},
    ['token editor document/home expired', 'stored viewer folder/inner'],
    'viewer',
    /folder inner/,
  ],
  [
    'a disabled document',
    { disabled: true, accessType: 'public' },
    ['token editor document/home'],
    'none',
    /document home is disabled/,
  ],
  [
    'a disabled organization',
    { organizationDisabled: true, accessType: 'public' },
    ['token editor document/home'],
    'none',
    /organization acme is disabled/,
  ],
  [
    'an admin in a granted organization',
    { isAdmin: true, accessType: 'restricted' },
    ['token viewer organization/acme', 'token viewer document/home'],
    'editor',
    /admin/,
  ],
  [
    'an admin elsewhere',
    { isAdmin: true },
    ['token editor organization/other'],
    'none',
    /nothing is granted/,
  ],
  [
    'an admin on a disabled document',
    { isAdmin: true, disabled: true },
    ['token editor organization/acme'],
    'none',
    /disabled/,
  ],
  [
    'an admin whose grant expired',
    { isAdmin: true },
    ['token editor organization/acme expired'],
    'none',
    /nothing is granted/,
  ],
];

test.each(cases)('%s', (_name, { isAdmin, ...facts }, grants, role, reason) => {
  const decision = decide(
    { ...document, ...facts },
    { isAdmin: isAdmin ?? false, grants: grants.map(grantOf) },
    NOW,
  );
  expect(decision.role).toBe(role);
  expect(decision.reason).toMatch(reason);
});
