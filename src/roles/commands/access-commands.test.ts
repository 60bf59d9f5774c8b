import { expect, test } from 'vitest';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { readConfig } from '../../config.ts';
import { ApiError } from '../../lib/errors.ts';
import { readCommand } from './program.ts';

async function explain(...words: string[]) {
  const { deps } = await testApp();
  const work = readCommand(['access', 'explain', ...words]);
  if (!('kind' in work) || work.kind !== 'data') throw new Error('It works with the data.');
  try {
    const openKeys = async () => deps.keyring;
    return {
      exitCode: 0,
      output: await work.run({ db: deps.db, config: readConfig({}), openKeys, onProgress: () => {} }),
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { exitCode: 1, output: `${error.message}\n` };
  }
}

test('access explain prints the deciding rule and everything that was considered', async () => {
  const workspace = await newWorkspace();
  const organizationId = 'acme';
  await workspace.must('/v2/organizations/documents/add', {
    organizationId,
    documents: [{ documentId: 'home', accessType: 'restricted' }],
  });
  await workspace.must('/v2/auth/permissions/add', {
    user: { userId: 'ada' },
    permissions: {
      resources: [
        { type: 'organization', id: organizationId },
        { type: 'document', id: 'home', organizationId, accessRole: 'viewer', expiresAt: 4_000_000_000 },
      ],
    },
  });
  const key = workspace.apiKeyId;
  expect(await explain(key, organizationId, 'home', 'ada')).toEqual({
    exitCode: 0,
    output: [
      'ada may read the document home of acme. The user is stored as viewer of the document home.',
      '',
      'organization  acme, not disabled',
      'document      home, not disabled, access type in force: restricted',
      'folder        none',
      'token         none given; only stored grants count',
      'grant         stored: viewer of the document home, until 2096-10-02T07:06:40.000Z',
      'grant         stored: editor of the organization acme',
      '',
    ].join('\n'),
  });
  const { output: ofEve } = await explain(key, organizationId, 'home', 'eve');
  expect(ofEve).toMatch(/^eve may not open the document home of acme\. .*restricted, and nothing is granted/);
  const { output: unknown } = await explain(key, organizationId, 'gone', 'ada');
  expect(unknown).toContain('there is no such document');
});

test('access explain considers a token, and refuses a token of another user', async () => {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home', accessType: 'restricted' }],
  });
  const resources = [{ type: 'organization', id: 'acme' }];
  const { token } = await newUserToken(workspace, { isAdmin: true, resources });
  const words = [workspace.apiKeyId, 'acme', 'home'];
  const { output } = await explain(...words, 'ada', '--token', token);
  expect(output).toContain('ada may read and write the document home of acme. The user is an admin');
  expect(output).toContain('token         for ada, an admin');
  const other = await newWorkspace();
  expect(await explain(...words, 'eve', '--token', token)).toEqual({
    exitCode: 1,
    output: 'The token is that of ada.\n',
  });
  expect((await explain(other.apiKeyId, 'acme', 'home', 'ada', '--token', token)).exitCode).toBe(1);
  expect((await explain('key_none', 'acme', 'home', 'ada')).output).toBe('There is no API key key_none.\n');
});
