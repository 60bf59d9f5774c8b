import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { json } from '../../db/sql-fragments.ts';

test('domains are reduced to hosts, added and removed', async () => {
  const workspace = await newWorkspace();
  expect(
    await workspace.must('/v2/workspace/domains/add', {
      domains: ['https://www.example.com/a?b#c', '*.Example.org', 'localhost:3000', 'www.com'],
    }),
  ).toEqual({ domainsAdded: ['example.com', '*.example.org', 'localhost:3000', 'www.com'] });
  const removed = await workspace.post('/v2/workspace/domains/delete', { domains: ['http://example.com'] });
  expect(removed.body.result.data).toMatchObject({ domainsRemoved: ['example.com'] });
  expect(await workspace.must('/v2/workspace/domains/get')).toEqual({
    allowedDomains: ['*.example.org', 'localhost:3000', 'www.com'],
  });
});

test('existing domains are reported, and the others are added', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/workspace/domains/add', { domains: ['a.com'] });
  const overlap = await workspace.post('/v2/workspace/domains/add', { domains: ['a.com', 'b.com'] });
  expect(overlap.body.error).toEqual({
    status: 'ALREADY_EXISTS',
    message: 'Domain(s) added successfully to allowed domains. Skipped existing domains.',
    details: { domainsAdded: ['b.com'], skippedDomains: ['a.com'] },
  });
  const missing = await workspace.post('/v2/workspace/domains/delete', { domains: ['b.com', 'c.com'] });
  expect(missing.body.error).toEqual({
    status: 'NOT_FOUND',
    message: 'Domain(s) removed successfully from allowed domains. Skipped non-existing domains.',
    details: { domainsRemoved: ['b.com'], skippedDomains: ['c.com'] },
  });
  expect(await workspace.must('/v2/workspace/domains/get')).toEqual({ allowedDomains: ['a.com'] });
});

test('concurrently added domains are all kept', async () => {
  const workspace = await newWorkspace();
  const names = Array.from({ length: 8 }, (_, index) => `d${index}.com`);
  await Promise.all(names.map((name) => workspace.must('/v2/workspace/domains/add', { domains: [name] })));
  const { allowedDomains } = await workspace.must('/v2/workspace/domains/get');
  expect(allowedDomains.sort()).toEqual(names);
});

test('what is no domain is refused', async () => {
  const workspace = await newWorkspace();
  const domains = [
    '',
    ' ',
    'a b',
    'user@host',
    'https://',
    '*.',
    'http://[::1',
    'a:1:2',
    'a.com:0',
    'a.com:65536',
    'https://a@b',
  ];
  const { body } = await workspace.post('/v2/workspace/domains/add', { domains });
  expect(body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    message: domains.map((_, index) => `domains[${index}] must be a domain.`).join('\n'),
  });
});

test('a domain that would allow strangers is refused, with all beside it', async () => {
  const workspace = await newWorkspace();
  const suffix = 'must not be a wildcard over a public suffix, under which anybody can have a domain';
  for (const [domain, message] of [
    ['*.com', suffix],
    ['https://*.co.uk:8443', suffix],
    ['*.www.co.uk', suffix],
    ['*.vercel.app.', suffix],
    ['*.127.0.0.1', 'must not be a wildcard over an IP address'],
    ['null', 'must not be the opaque origin null, which any page can have'],
  ])
    expect(
      (await workspace.post('/v2/workspace/domains/add', { domains: ['a.com', domain] })).body.error,
    ).toMatchObject({ status: 'INVALID_ARGUMENT', message: `domains[1] ${message}.` });
  expect(await workspace.must('/v2/workspace/domains/get')).toEqual({ allowedDomains: [] });
});

test('the scheme of a domain is stored and not returned, and removed with the domain', async () => {
  const workspace = await newWorkspace();
  const add = (...domains: string[]) => workspace.must('/v2/workspace/domains/add', { domains });
  expect(await add('https://app.example.com:8443')).toEqual({ domainsAdded: ['app.example.com:8443'] });
  expect(await add('http://app.example.com:8443', 'b.com:80')).toEqual({
    domainsAdded: ['app.example.com:8443', 'b.com:80'],
  });
  expect(await workspace.must('/v2/workspace/domains/get')).toEqual({
    allowedDomains: ['app.example.com:8443', 'b.com:80'],
  });
  const { deps } = await testApp();
  const stored = () =>
    deps.db
      .selectFrom('apiKeys')
      .select('allowedDomains')
      .where('apiKeyId', '=', workspace.apiKeyId)
      .executeTakeFirstOrThrow();
  expect(await stored()).toEqual({
    allowedDomains: ['https://app.example.com:8443', 'http://app.example.com:8443', 'b.com:80'],
  });
  expect(await workspace.must('/v2/workspace/domains/delete', { domains: ['app.example.com:8443'] })).toEqual(
    { domainsRemoved: ['app.example.com:8443'] },
  );
  expect(await stored()).toEqual({ allowedDomains: ['b.com:80'] });
});

test('a domain of earlier versions that is now invalid can be removed', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  await deps.db
    .updateTable('apiKeys')
    .set({ allowedDomains: json(['*.com', 'null', 'a.com']) })
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  expect(await workspace.must('/v2/workspace/domains/delete', { domains: ['*.com', 'null'] })).toEqual({
    domainsRemoved: ['*.com', 'null'],
  });
});

test('a new key has the default settings', async () => {
  const workspace = await newWorkspace();
  expect(await workspace.must('/v2/workspace/apikeyconfig/get')).toEqual({
    ownerEmail: workspace.email,
    planInfo: { type: 'sdk test' },
    defaultDocumentAccessType: 'public',
    isPrivateCommentsEnabled: false,
    requireJwtToken: false,
    requireAutoOrgUser: false,
  });
});

test('a key with surrogate pairs is masked between characters', async () => {
  const { must } = await newWorkspace();
  const aiModelApiKey = [{ provider: 'openai', customerApiKey: `k${'🙂'.repeat(20)}!` }];
  const updated = await must('/v2/workspace/apikeyconfig/update', { aiModelApiKey });
  expect(updated).toEqual({ aiModelsConfig: { openai: { displayText: 'k🙂🙂****🙂🙂🙂!' } } });
});

test('settings are changed one by one, and keys of models are masked', async () => {
  const workspace = await newWorkspace();
  expect(await workspace.must('/v2/workspace/apikeyconfig/update', { enablePrivateComments: true })).toEqual({
    enablePrivateComments: true,
  });
  const secret = 'sk-canary-0123456789abcdef';
  const updated = await workspace.must('/v2/workspace/apikeyconfig/update', {
    defaultDocumentAccessType: 'restricted',
    aiModelApiKey: [{ provider: 'openai', customerApiKey: secret }],
  });
  expect(updated).toEqual({
    defaultDocumentAccessType: 'restricted',
    aiModelsConfig: { openai: { displayText: 'sk-****cdef' } },
  });
  await workspace.must('/v2/workspace/apikeyconfig/update', {
    aiModelApiKey: [{ provider: 'gemini', customerApiKey: 'short' }],
  });
  expect(await workspace.must('/v2/workspace/apikeyconfig/get')).toMatchObject({
    isPrivateCommentsEnabled: true,
    defaultDocumentAccessType: 'restricted',
    aiModelsConfig: { openai: { displayText: 'sk-****cdef' }, gemini: { displayText: '****' } },
  });
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('apiKeys')
    .selectAll()
    .where('apiKeyId', '=', workspace.apiKeyId)
    .execute();
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('settings cannot be updated without one that is known', async () => {
  const workspace = await newWorkspace();
  for (const data of [{ nonsense: 1 }, { requireJwtToken: true, nonsense: 1 }])
    expect((await workspace.post('/v2/workspace/apikeyconfig/update', data)).body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'At least one field must be provided for update',
    });
});
