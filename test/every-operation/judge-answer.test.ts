import { expect, test } from 'vitest';
import type { Reply } from '../service/harness.ts';
import { leaksIn, problemsIn, reportsPartialSuccess } from './judge-answer.ts';
import { operations } from './operations.ts';
import { sharedStage } from './validate.ts';

const operation = operations.find(({ path }) => path === '/v2/agents/delete')!;
const reply = (status: number, body: unknown, headers = { 'x-request-id': 'r' }): Reply => ({
  status,
  body,
  headers,
});
const success = (data: unknown) => ({
  result: { status: 'success', message: 'Agent deleted successfully', data },
});
const failure = (status: string, more = {}) => ({ error: { status, message: 'No.', ...more } });

test.each<[string, number, Reply]>([
  ['a success', 0, reply(200, success({ agentId: 'a' }))],
  ['a documented failure', 0, reply(404, failure('NOT_FOUND'))],
  ['a body too large', 0, reply(413, failure('INVALID_ARGUMENT'))],
  ['a success without its data', 1, reply(200, success(undefined))],
  ['a success with a field too many', 1, reply(200, success({ agentId: 'a', more: 1 }))],
  ['another message', 1, reply(200, { result: { ...success({ agentId: 'a' }).result, message: 'Hm' } })],
  ['no request id', 1, { ...reply(404, failure('NOT_FOUND')), headers: {} }],
  ['no envelope', 1, reply(404, { message: 'No.' })],
  ['an unknown field of the error', 1, reply(404, failure('NOT_FOUND', { stack: 'x' }))],
  ['the HTTP status of another error', 2, reply(400, failure('NOT_FOUND'))],
  ['an undocumented failure', 1, reply(409, failure('ALREADY_EXISTS'))],
  ['a fault', 1, reply(500, failure('INTERNAL'))],
])('for %s, the number of problems found is %d', (_, count, answer) => {
  expect(problemsIn(operation, answer)).toHaveLength(count);
});

test('secrets and texts of another tenant are found in answers, except where they belong', async () => {
  const { a, b } = await sharedStage();
  const leaks = (path: string, text: string) =>
    leaksIn(operations.find((candidate) => candidate.path === path)!, reply(200, { text }), a, b).length;
  expect(leaks('/v2/agents/get', a.mark)).toBe(0);
  expect(leaks('/v2/agents/get', b.mark)).toBe(1);
  expect(leaks('/v2/agents/get', a.secrets.sealed[0]!)).toBe(1);
  expect(leaks('/v2/agents/get', a.workspace.token)).toBe(1);
  expect(leaks('/v2/workspace/authtokens/get', a.workspace.token)).toBe(0);
  expect(leaks('/v2/workspace/authtokens/get', b.workspace.token)).toBe(1);
});

test('a partial success is recognized by the details of the failure', () => {
  const isPartial = (details: unknown) =>
    reportsPartialSuccess(reply(409, failure('ALREADY_EXISTS', { details })));
  expect(isPartial({ domainsAdded: ['a'], skippedDomains: [] })).toBe(true);
  expect(isPartial({ one: { success: true }, two: { success: false } })).toBe(true);
  expect(isPartial({ one: { success: false } })).toBe(false);
  expect(isPartial({ issues: [] })).toBe(false);
  expect(isPartial(undefined)).toBe(false);
});
