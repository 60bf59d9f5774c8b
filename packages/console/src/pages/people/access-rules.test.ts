import type { AccessExplanation, AccessGrant } from '@redpen/client';
import { describe, expect, it } from 'vitest';
import { rulesOf, sentenceOf } from './access-rules.ts';

const DOCUMENT = { organizationId: 'acme', documentId: 'website' };

const grant = (fields: Partial<AccessGrant>): AccessGrant => ({
  source: 'stored',
  type: 'document',
  id: 'website',
  accessRole: 'viewer',
  expiresAt: null,
  expired: false,
  decided: false,
  ...fields,
});

const explanation = (fields: Partial<AccessExplanation>): AccessExplanation => ({
  accessRole: 'none',
  reason: '',
  exists: true,
  disabled: false,
  accessType: 'organizationPrivate',
  folderIds: [],
  isAdmin: false,
  grants: [],
  ...fields,
});

const outcomes = (fields: Partial<AccessExplanation>, place = DOCUMENT as object) =>
  rulesOf(explanation(fields), { organizationId: 'acme', ...place }).map(
    ({ id, outcome }) => `${id} ${outcome}`,
  );

describe('the rules of access', () => {
  it('are passed over up to the one that decided', () => {
    expect(
      outcomes({
        accessRole: 'viewer',
        folderIds: ['drafts'],
        grants: [grant({ type: 'folder', id: 'drafts', decided: true })],
      }),
    ).toEqual([
      'disabled passed',
      'admin passed',
      'document passed',
      'folder decided',
      'organization unreached',
      'public unreached',
      'nothing unreached',
    ]);
  });

  it.each([
    [{ disabled: true }, 'disabled'],
    [
      {
        accessRole: 'editor',
        isAdmin: true,
        grants: [grant({ type: 'organization', id: 'acme', decided: true })],
      },
      'admin',
    ],
    [{ accessRole: 'viewer', grants: [grant({ decided: true })] }, 'document'],
    [
      { accessRole: 'viewer', grants: [grant({ type: 'organization', id: 'acme', decided: true })] },
      'organization',
    ],
    [{ accessType: 'restricted', grants: [grant({ type: 'organization', id: 'acme' })] }, 'organization'],
    [
      { accessType: 'restricted', grants: [grant({ type: 'organization', id: 'acme', expired: true })] },
      'nothing',
    ],
    [{ accessRole: 'editor', accessType: 'public' }, 'public'],
    [{}, 'nothing'],
  ] as const)('with %j decide by %s', (fields, id) => {
    expect(outcomes(fields as Partial<AccessExplanation>)).toContain(`${id} decided`);
  });

  it('ask less about an organization, and nothing about what does not exist', () => {
    expect(
      outcomes(
        { accessRole: 'viewer', grants: [grant({ type: 'organization', id: 'acme', decided: true })] },
        { documentId: undefined },
      ),
    ).toEqual(['disabled passed', 'admin passed', 'organization decided', 'nothing unreached']);
    expect(outcomes({ exists: false })).toEqual([]);
  });
});

it('says in a sentence what the user may do', () => {
  expect(sentenceOf('eve', DOCUMENT, explanation({ accessRole: 'viewer' }))).toBe(
    'eve may read the document website of acme.',
  );
  expect(sentenceOf('eve', { organizationId: 'acme' }, explanation({}))).toBe(
    'eve may not open the organization acme.',
  );
});
