import { describe, expect, test } from 'vitest';
import { demandOf } from '../../src/http/request/demand-of.ts';
import { MEMBER_ROLES, type MemberRole, TOKEN_SCOPES, type TokenScope } from '../../src/lib/scope.ts';
import { setRole } from '../people/console-session.ts';
import { addMember } from '../people/members.ts';
import { newWorkspace, type Reply, send } from '../service/harness.ts';
import { distinct, type Operation } from './operations.ts';
import {
  runAndRestore,
  type Stage,
  sharedStage,
  validBody,
  withFreshNames,
  withShortWaits,
} from './validate.ts';

/** Operations that only owners may call: they manage the workspace, or show or replace secrets. */
const FOR_OWNERS = [
  '/v2/workspace/get',
  '/v2/workspace/update',
  '/v2/workspace/token/reset',
  '/v2/workspace/audit/get',
  '/v2/workspace/audit/export',
  '/v2/workspace/audit/verify',
  '/v2/workspace/apikey/create',
  '/v2/workspace/apikey/update',
  '/v2/workspace/authtoken/reset',
  '/v2/workspace/authtokens/get',
  '/v2/workspace/domains/add',
  '/v2/workspace/domains/delete',
  '/v2/workspace/apikeyconfig/update',
  '/v2/workspace/emailconfig/update',
  '/v2/workspace/webhookconfig/update',
  '/v2/workspace/permissionproviderconfig/update',
  '/v2/workspace/advancedwebhook/endpoints/secret/get',
  '/v2/workspace/advancedwebhook/endpoints/secret/rotate',
  '/v2/auth/generate_signature',
  '/v2/members/invite',
  '/v2/members/update',
  '/v2/members/remove',
  '/v2/members/invitations/list',
  '/v2/members/invitations/revoke',
  '/v2/users/data/delete',
];
/** Reads that show what may be secret, or return a link that needs no credentials. */
const READS_FOR_EDITORS = [
  '/v2/workspace/webhookconfig/get',
  '/v2/workspace/permissionproviderconfig/get',
  '/v2/workspace/advancedwebhook/endpoints/get',
  '/v2/agents/execution/share',
  '/v2/reviews/share',
  '/v2/users/data/get',
];
/** Operations that are no plain reads, but show data or concern the viewer alone. */
const FOR_VIEWERS = [
  '/v2/agents/builtin',
  '/v2/agents/config/resolve',
  '/v2/agents/findings/picture',
  '/v2/commentannotations/unread/clear',
  '/v2/memory/search',
  '/v2/memory/suggest',
  '/v2/memory/ask',
  '/v2/memory/knowledge/search',
  '/v2/tokens/create',
  '/v2/tokens/revoke',
  '/v2/oauth/request/allow',
];
const SCOPES: Partial<Record<TokenScope, string[]>> = {
  comment: [
    '/v2/commentannotations/add',
    '/v2/commentannotations/comments/add',
    '/v2/commentannotations/reactions/add',
    '/v2/commentannotations/reactions/delete',
    '/v2/attachments/create',
  ],
  decide: ['/v2/agents/findings/decide'],
  review: [
    '/v2/agents/execution/run',
    '/v2/agents/execution/cancel',
    '/v2/reviews/run',
    '/v2/reviews/cancel',
  ],
};

/** Operations of viewers that write, so that no scope opens them. */
const WITHOUT_SCOPE = ['/v2/commentannotations/unread/clear'];

const ofTenants = distinct.filter(({ endpoint: { auth } }) => auth !== 'public' && auth !== 'account');
const forTokens = ofTenants.filter(({ endpoint: { auth } }) => auth === 'apiKey' || auth === 'apiKeyOrUser');

test('roles differ from reads for viewers and writes for editors only where it is meant', () => {
  const pathsOf = (isMeant: (operation: Operation, role: MemberRole) => boolean) =>
    ofTenants.filter((one) => isMeant(one, demandOf(one.endpoint).role)).map(({ path }) => path);
  expect(pathsOf((_, role) => role === 'owner').sort()).toEqual(FOR_OWNERS.toSorted());
  expect(pathsOf(({ endpoint }, role) => role === 'editor' && endpoint.kind === 'read').sort()).toEqual(
    READS_FOR_EDITORS.toSorted(),
  );
  expect(pathsOf(({ endpoint }, role) => role === 'viewer' && endpoint.kind !== 'read').sort()).toEqual(
    FOR_VIEWERS.toSorted(),
  );
});

test('personal tokens open what viewers may read, and by their scopes some operations of editors', () => {
  for (const { path, endpoint } of ofTenants) {
    const { role, scope } = demandOf(endpoint);
    const [named] = Object.entries(SCOPES).find(([, paths]) => paths.includes(path)) ?? [];
    const isClosed = endpoint.auth === 'member' || WITHOUT_SCOPE.includes(path);
    const byDefault = role === 'viewer' && !isClosed ? 'read' : undefined;
    expect([path, scope]).toEqual([path, named ?? byDefault]);
  }
});

const NO_ROLE =
  /^This needs the role (editor|owner) in the workspace, and you are an? (viewer|editor) of it\.$/;
const NO_SCOPE =
  /^(No personal token opens this operation|This needs a personal token with the scope \w+)\.$/;

/** Sends a valid request with other credentials. */
async function ask(stage: Stage, operation: Operation, headers: Record<string, string>) {
  const sent = JSON.stringify({ data: await validBody(operation, stage) });
  return await runAndRestore(stage, () =>
    send(operation.path, withShortWaits(withFreshNames(sent)), headers),
  );
}

const refusalOf = ({ status, body }: Reply, words: RegExp): boolean =>
  status === 403 && words.test(body.error.message);

describe.each(ofTenants)('$path', (operation) => {
  test.each(MEMBER_ROLES)('opens to a member with the role %s if it demands no more', async (role) => {
    const stage = await sharedStage();
    const demand = demandOf(operation.endpoint);
    const [reply, changed] = await ask(stage, operation, stage.a.members[role].headers);
    const isOpen = MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(demand.role);
    expect([reply.status, refusalOf(reply, NO_ROLE)]).toEqual([isOpen ? expect.any(Number) : 403, !isOpen]);
    expect(reply.status).not.toBe(401);
    if (!isOpen || role === 'viewer') {
      // A viewer's own tokens are no rows of others.
      const ofOthers = changed.filter((key) => !key.startsWith('personal_tokens '));
      expect(ofOthers).toEqual([]);
    }
    if (role === 'viewer') expect(secretsIn(stage, reply)).toEqual([]);
  });
});

/** Secrets of the world in an answer. */
function secretsIn({ a }: Stage, { body }: Reply): string[] {
  const text = JSON.stringify(body);
  return [...Object.values(a.secrets).flat(), ...a.hidden].filter((secret) => text.includes(secret));
}

test('owners get the secrets that viewers do not, so that these would be found', async () => {
  const stage = await sharedStage();
  const found = new Set<string>();
  for (const path of [
    '/v2/workspace/get',
    '/v2/workspace/authtokens/get',
    '/v2/workspace/advancedwebhook/endpoints/secret/get',
    '/v2/workspace/advancedwebhook/endpoints/get',
    '/v2/workspace/webhookconfig/get',
    '/v2/workspace/permissionproviderconfig/get',
  ]) {
    const { workspace, own, members } = stage.a;
    const data = { apiKey: workspace.apiKeyId, endpointId: own.webhookEndpoint };
    const reply = await send(path, { data }, members.owner.headers);
    expect([path, reply.status]).toEqual([path, 200]);
    const secrets = secretsIn(stage, reply);
    expect([path, secrets.length]).toEqual([path, 1]);
    for (const secret of secrets) found.add(secret);
  }
  expect(found.size).toBe(4);
});

describe.each(forTokens)('$path', (operation) => {
  test.each(TOKEN_SCOPES)('opens to a personal token with the scope %s if it is for it', async (scope) => {
    const stage = await sharedStage();
    const [reply, changed] = await ask(stage, operation, {
      authorization: `Bearer ${stage.a.tokens[scope]}`,
    });
    const isOpen = demandOf(operation.endpoint).scope === scope;
    expect([reply.status, refusalOf(reply, NO_SCOPE)]).toEqual([isOpen ? expect.any(Number) : 403, !isOpen]);
    expect(reply.status).not.toBe(401);
    if (!isOpen || scope === 'read') expect(changed).toEqual([]);
  });
});

test('a personal token never exceeds the role that its member has now', async () => {
  const { session } = await addMember(await newWorkspace(), 'editor');
  const { body } = await session.post('/v2/tokens/create', { name: 'All', scopes: TOKEN_SCOPES });
  const headers = { authorization: `Bearer ${body.result.data.token}` };
  const run = { data: { urls: ['https://example.com/'], agents: ['none'] } };
  expect((await send('/v2/reviews/run', run, headers)).status).toBe(404);
  await setRole(session, 'viewer');
  expect(refusalOf(await send('/v2/reviews/run', run, headers), NO_ROLE)).toBe(true);
  expect((await send('/v2/reviews/list', { data: {} }, headers)).status).toBe(200);
  const refused = await session.post('/v2/tokens/create', { name: 'More', scopes: ['read', 'decide'] });
  expect([refused.status, refused.body.error.message]).toEqual([
    403,
    'The scope decide needs the role editor, and you are a viewer.',
  ]);
});
