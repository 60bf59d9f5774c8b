import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newWorkspace } from '../../../test/harness.ts';

const oddText = fc.oneof(
  fc.constantFrom(
    'a',
    '__proto__',
    'constructor',
    'toString',
    "'; --",
    '%',
    '\\',
    '\u0001',
    '🙂',
    'İ',
    'x'.repeat(512),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const value = fc.oneof(
  oddText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
);
const ids = fc.array(oddText, { maxLength: 4 });
const item = (id: string) =>
  fc.oneof(
    fc.dictionary(oddText, value, { maxKeys: 3 }),
    fc.record({ [id]: oddText, extra: value, accessType: value }),
  );

const data = fc.record(
  {
    organizationId: fc.oneof(fc.constant('acme'), oddText),
    organizations: fc.oneof(fc.array(item('organizationId'), { maxLength: 4 }), value),
    organizationIds: fc.oneof(ids, value),
    documentId: oddText,
    documentIds: fc.oneof(ids, value),
    documents: fc.oneof(fc.array(item('documentId'), { maxLength: 4 }), value),
    folderId: value,
    domains: fc.oneof(ids, value),
    annotationIds: fc.oneof(ids, value),
    locationIds: fc.oneof(ids, value),
    updatedAfter: fc.oneof(fc.integer(), fc.maxSafeInteger(), value),
    pageSize: fc.oneof(fc.integer({ min: -1, max: 1_001 }), value),
    pageToken: fc.option(value, { nil: undefined }),
    defaultDocumentAccessType: value,
    enablePrivateComments: value,
  },
  { requiredKeys: ['organizationId'] },
);

test.each([
  '/v2/organizations/add',
  '/v2/organizations/update',
  '/v2/organizations/get',
  '/v2/organizations/delete',
  '/v2/organizations/documents/add',
  '/v2/organizations/documents/get',
  '/v2/organizations/documents/delete',
  '/v2/commentannotations/get',
  '/v2/workspace/domains/add',
  '/v2/workspace/domains/delete',
  '/v2/workspace/apikeyconfig/update',
])('no data makes a fault of %s', async (path) => {
  const workspace = await newWorkspace();
  await fc.assert(
    fc.asyncProperty(data, async (sent) => {
      const { status, body } = await workspace.post(path, sent);
      expect([200, 400, 404, 409]).toContain(status);
      expect(status === 200 ? body.result.status : typeof body.error.message).toBe(
        status === 200 ? 'success' : 'string',
      );
    }),
    { numRuns: 60 },
  );
});
