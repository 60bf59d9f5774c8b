import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../run/rounds.ts';
import { send } from '../service/harness.ts';
import { build } from './bodies.ts';
import { leaksIn, problemsIn, reportsPartialSuccess } from './judge-answer.ts';
import { requests } from './mutations.ts';
import { distinct, type Operation, operations } from './operations.ts';
import { FOR_VIEWERS, userToken } from './user-tokens.ts';
import {
  credentials,
  runAndRestore,
  type Stage,
  sharedStage,
  validBody,
  withFreshNames,
  withShortWaits,
} from './validate.ts';
import { idIn, type World } from './world.ts';

const RUNS = rounds(4, 10, 'FUZZ_RUNS');
// Far more than any request needs on a busy machine, so that only a hanging request exceeds it.
const TOO_LONG_MS = 120_000;
// The number of requests limits a test. After a failure, the time is for shrinking the request.
const TIMEOUT_MS = 600_000;

const ROLES = [undefined, 'viewer', 'editor'] as const;
type Role = NonNullable<(typeof ROLES)[number]>;

/** The role in every organization of the world. */
const everywhere = ({ shared, own }: World, accessRole: Role) =>
  [shared.organization, own.organization].map((id) => ({ type: 'organization', id: String(id), accessRole }));

/** Sends a request and returns all problems with its answer and its changes. */
async function problemsOfRequest(
  operation: Operation,
  stage: Stage,
  { body, role, key }: { body: string; role: Role | undefined; key: string | undefined },
) {
  const headers = {
    ...(role === undefined
      ? credentials(operation, stage.a)
      : { authorization: `Bearer ${await userToken(stage, everywhere(stage.a, role))}` }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const sent = withShortWaits(withFreshNames(body));
  const problems: string[] = [];
  const once = async () => {
    const startedAt = performance.now();
    const reply = await send(operation.path, sent, headers);
    if (performance.now() - startedAt > TOO_LONG_MS) problems.push('It took too long.');
    problems.push(...problemsIn(operation, reply), ...leaksIn(operation, reply, stage.a, stage.b));
    return reply;
  };
  const [reply, changed] = await runAndRestore(stage, once);
  const { b } = stage;
  const changedOfB = changed.filter((key) =>
    [b.workspace.apiKeyId, b.workspace.workspaceId].some((id) => key.endsWith(id)),
  );
  // Credentials in the body make the request the other tenant's own.
  const isOwnRequestOfB =
    operation.endpoint.auth === 'public' &&
    [b.own.apiKey, b.own.authToken].every((secret) => sent.includes(String(secret)));
  if (!isOwnRequestOfB)
    problems.push(...changedOfB.map((table) => `It changed rows of another tenant: ${table}.`));
  const mayChange =
    operation.endpoint.kind !== 'read' && (reply.status === 200 || reportsPartialSuccess(reply));
  if (changed.length > 0 && !mayChange)
    problems.push(`It was ${reply.status} and changed ${changed.join(', ')}.`);
  const isOwnNote = (key: string) =>
    FOR_VIEWERS.includes(operation.path) && /^(presence|annotation_views|events) /.test(key);
  const changedByViewer = role === 'viewer' ? changed.filter((key) => !isOwnNote(key)) : [];
  if (changedByViewer.length > 0) problems.push(`A viewer changed ${changedByViewer.join(', ')}.`);
  // An answer with a cookie is not stored, so that a repeated request is a new attempt.
  if (key !== undefined && reply.headers['set-cookie'] === undefined) {
    // The rows are restored, so any change now means that the request was executed again.
    const [again, changedAgain] = await runAndRestore(stage, once);
    const { onceOnly = [] } = operation.endpoint;
    const expected = JSON.stringify(reply.body, (name, value) =>
      onceOnly.includes(name) ? '__redacted__' : value,
    );
    if (JSON.stringify(again.body) !== expected) {
      problems.push(`With the same idempotency-key: ${JSON.stringify(again.body)}`);
    }
    if (changedAgain.length > 0) problems.push(`It was executed twice: ${changedAgain.join(', ')}.`);
  }
  return problems;
}

test.each(distinct)(
  '$path handles any request without a fault, a leak or a partial change',
  async (operation) => {
    const stage = await sharedStage();
    const all = build(
      operation.request,
      () => true,
      (kind) => idIn(stage.a, kind),
    );
    const bases = [await validBody(operation, stage), all];
    const isWrite = operation.endpoint.kind !== 'read';
    await fc.assert(
      fc.asyncProperty(
        requests(operation, bases, stage.a, stage.b),
        fc.constantFrom(...operation.paths),
        isWrite ? fc.boolean() : fc.constant(false),
        operation.endpoint.auth === 'apiKeyOrUser' ? fc.constantFrom(...ROLES) : fc.constant(undefined),
        async (body, path, twice, role) => {
          const requested = operations.find((candidate) => candidate.path === path)!;
          const key = twice ? randomUUID() : undefined;
          expect(await problemsOfRequest(requested, stage, { body, role, key })).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);
