import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { send } from '../harness.ts';
import { build } from './bodies.ts';
import { leaksIn, problemsIn, tellsOfAPart } from './judge-answer.ts';
import { requests } from './mutations.ts';
import { distinct, type Operation, operations } from './operations.ts';
import { userToken } from './user-tokens.ts';
import { andBack, credentials, freshened, hurried, type Stage, theStage, validBody } from './validate.ts';
import { idIn, type World } from './world.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 20);
// Far above what any request needs on a busy machine: proves only that none hangs.
const TOO_LONG_MS = 120_000;
// The number of requests ends a test; what fails is made as small as it can be, however long that takes.
const TIMEOUT_MS = 600_000;

const ROLES = [undefined, 'viewer', 'editor'] as const;
type Role = NonNullable<(typeof ROLES)[number]>;

/** The role in every organization of the world. */
const everywhere = ({ shared, own }: World, accessRole: Role) =>
  [shared.organization, own.organization].map((id) => ({ type: 'organization', id: String(id), accessRole }));

/** Sends one request and tells all that is wrong with how it went. */
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
  const sent = hurried(freshened(body));
  const problems: string[] = [];
  const once = async () => {
    const begun = performance.now();
    const reply = await send(operation.path, sent, headers);
    if (performance.now() - begun > TOO_LONG_MS) problems.push('It took too long.');
    problems.push(...problemsIn(operation, reply), ...leaksIn(operation, reply, stage.a, stage.b));
    return reply;
  };
  const [reply, changed] = await andBack(stage, once);
  const { b } = stage;
  const theirs = changed.filter((key) =>
    [b.workspace.apiKeyId, b.workspace.workspaceId].some((id) => key.endsWith(id)),
  );
  // Credentials in the body make the request the other tenant's own.
  const isTheirOwn =
    operation.endpoint.auth === 'public' &&
    [b.own.apiKey, b.own.authToken].every((secret) => sent.includes(String(secret)));
  if (!isTheirOwn) problems.push(...theirs.map((table) => `It changed rows of another tenant: ${table}.`));
  const mayChange = operation.endpoint.kind !== 'read' && (reply.status === 200 || tellsOfAPart(reply));
  if (changed.length > 0 && !mayChange)
    problems.push(`It was ${reply.status} and changed ${changed.join(', ')}.`);
  if (role === 'viewer' && changed.length > 0) problems.push(`A viewer changed ${changed.join(', ')}.`);
  if (key !== undefined) {
    // The rows are as before, so whatever changes now was done a second time.
    const [again, changedAgain] = await andBack(stage, once);
    const { onceOnly = [] } = operation.endpoint;
    const expected = JSON.stringify(reply.body, (name, value) =>
      onceOnly.includes(name) ? '__redacted__' : value,
    );
    if (JSON.stringify(again.body) !== expected) {
      problems.push(`With the same idempotency-key: ${JSON.stringify(again.body)}`);
    }
    if (changedAgain.length > 0) problems.push(`It was done twice: ${changedAgain.join(', ')}.`);
  }
  return problems;
}

test.each(distinct)(
  '$path takes any request without a fault, a leak or a half-done change',
  async (operation) => {
    const stage = await theStage();
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
          const asked = operations.find((one) => one.path === path)!;
          const key = twice ? randomUUID() : undefined;
          expect(await problemsOfRequest(asked, stage, { body, role, key })).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);
