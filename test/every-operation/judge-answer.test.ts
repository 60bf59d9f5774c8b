import { expect, test } from 'vitest';
import type { Reply } from '../harness.ts';
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

test.each<[string, Reply, number]>([
  ['a success', reply(200, success({ agentId: 'a' })), 0],
  ['a documented failure', reply(404, failure('NOT_FOUND')), 0],
  ['a body too large', reply(413, failure('INVALID_ARGUMENT')), 0],
  ['a success without its data', reply(200, success(undefined)), 1],
  ['a success with a field too many', reply(200, success({ agentId: 'a', more: 1 })), 1],
  ['another message', reply(200, { result: { ...success({ agentId: 'a' }).result, message: 'Hm' } }), 1],
  ['no request id', { ...reply(404, failure('NOT_FOUND')), headers: {} }, 1],
  ['no envelope', reply(404, { message: 'No.' }), 1],
  ['an unknown field of the error', reply(404, failure('NOT_FOUND', { stack: 'x' })), 1],
  ['the HTTP status of another error', reply(400, failure('NOT_FOUND')), 2],
  ['an undocumented failure', reply(409, failure('ALREADY_EXISTS')), 1],
  ['a fault', reply(500, failure('INTERNAL')), 1],
])('%s has the expected number of problems', (_, answer, count) => {
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
