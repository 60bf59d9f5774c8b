import { httpStatus } from '../../src/http/envelope.ts';
import type { ErrorStatus } from '../../src/lib/errors.ts';
import type { Reply } from '../harness.ts';
import { problemsOf } from './json-schema.ts';
import type { Operation } from './operations.ts';
import type { World } from './world.ts';

/** Operations that are there to answer a secret, and which. */
const ANSWERS: Record<string, (keyof World['secrets'])[]> = {
  '/v2/workspace/create': ['workspaceToken'],
  '/v2/workspace/get': ['workspaceToken'],
  '/v2/workspace/authtokens/get': ['apiKeyToken'],
  '/v2/workspace/authtoken/reset': ['apiKeyToken'],
  '/v2/workspace/advancedwebhook/endpoints/secret/get': ['webhook'],
};

/** What is wrong with an answer, a sentence a problem, whatever was asked. */
export function problemsIn(operation: Operation, { status, headers, body }: Reply): string[] {
  const problems: string[] = [];
  if (!headers['x-request-id']) problems.push('It has no x-request-id.');
  if (status === 200) return [...problems, ...problemsOf(operation.success, body)];
  if (Object.keys(body).join() !== 'error') return [...problems, `It is no envelope: ${Object.keys(body)}.`];
  const { error } = body;
  const strange = Object.keys(error).filter(
    (name) => !['status', 'message', 'details', 'code'].includes(name),
  );
  if (strange.length > 0) problems.push(`error has ${strange.join(', ')}.`);
  if (typeof error.message !== 'string' || error.message === '') problems.push('It has no message.');
  if (status >= 500) problems.push(`It is a fault: ${status} ${error.message}`);
  const expected = httpStatus[error.status as ErrorStatus];
  const tooLarge = status === 413 && error.status === 'INVALID_ARGUMENT';
  if (expected !== status && !tooLarge) problems.push(`${error.status} came with HTTP ${status}.`);
  if (!operation.failures[status]?.includes(`\`${error.status}\``)) {
    problems.push(`The reference tells of no ${error.status}: ${error.message}`);
  }
  return problems;
}

/** Secrets and other tenants' words that an answer gives away. */
export function leaksIn(operation: Operation, reply: Reply, mine: World, theirs: World): string[] {
  const text = JSON.stringify(reply.body);
  const allowed = ANSWERS[operation.path] ?? [];
  const secrets = (Object.keys(mine.secrets) as (keyof World['secrets'])[]).flatMap((name) => [
    ...(allowed.includes(name) ? [] : mine.secrets[name].map((secret) => [`my ${name}`, secret])),
    ...theirs.secrets[name].map((secret) => [`their ${name}`, secret]),
  ]);
  return [...secrets, ['their words', theirs.mark]].flatMap(([what, secret]) =>
    text.includes(secret!) ? [`It gives away ${what}.`] : [],
  );
}

/** Whether a failure says itself that part of the request was done. */
export function tellsOfAPart({ body }: Reply): boolean {
  const details = body.error?.details;
  if (typeof details !== 'object' || details === null) return false;
  // Domains answer two lists, annotations a result for each.
  return Object.entries(details).some(
    ([name, value]) =>
      /^domains(Added|Removed)$/.test(name) || (value as { success?: unknown } | null)?.success === true,
  );
}
