import { httpStatus } from '../../src/http/envelope.ts';
import type { ErrorStatus } from '../../src/lib/errors.ts';
import type { Reply } from '../service/harness.ts';
import { problemsOf } from './json-schema.ts';
import type { Operation } from './operations.ts';
import { undeclaredIn } from './undeclared.ts';
import type { World } from './world.ts';

/** Operations whose purpose is to return a secret, with the secrets that they may return. */
const MAY_RETURN: Record<string, (keyof World['secrets'])[]> = {
  '/v2/workspace/create': ['workspaceToken'],
  '/v2/workspace/get': ['workspaceToken'],
  '/v2/workspace/token/reset': ['workspaceToken'],
  '/v2/workspace/authtokens/get': ['apiKeyToken'],
  '/v2/workspace/authtoken/reset': ['apiKeyToken'],
  '/v2/workspace/advancedwebhook/endpoints/secret/get': ['webhook'],
};

/** The problems of an answer to any request, one sentence each. */
export function problemsIn(operation: Operation, { status, headers, body }: Reply): string[] {
  const problems: string[] = [];
  if (!headers['x-request-id']) problems.push('It has no x-request-id.');
  if (status === 200) {
    const undeclared = undeclaredIn(operation.success, body).map((field) => `${field} is not declared.`);
    return [...problems, ...problemsOf(operation.success, body), ...undeclared];
  }
  if (Object.keys(body).join() !== 'error') return [...problems, `It is no envelope: ${Object.keys(body)}.`];
  const { error } = body;
  const unexpected = Object.keys(error).filter(
    (name) => !['status', 'message', 'details', 'code'].includes(name),
  );
  if (unexpected.length > 0) problems.push(`error has ${unexpected.join(', ')}.`);
  if (typeof error.message !== 'string' || error.message === '') problems.push('It has no message.');
  if (status >= 500) problems.push(`It is a fault: ${status} ${error.message}`);
  const expected = httpStatus[error.status as ErrorStatus];
  const tooLarge = status === 413 && error.status === 'INVALID_ARGUMENT';
  if (expected !== status && !tooLarge) problems.push(`${error.status} came with HTTP ${status}.`);
  if (!operation.failures[status]?.includes(`\`${error.status}\``)) {
    problems.push(`The reference documents no ${error.status}: ${error.message}`);
  }
  return problems;
}

/** Secrets, and texts of the other tenant, that an answer leaks. */
export function leaksIn(operation: Operation, reply: Reply, mine: World, theirs: World): string[] {
  const text = JSON.stringify(reply.body);
  const allowed = MAY_RETURN[operation.path] ?? [];
  const secrets = (Object.keys(mine.secrets) as (keyof World['secrets'])[]).flatMap((name) => [
    ...(allowed.includes(name) ? [] : mine.secrets[name].map((secret) => [`my ${name}`, secret])),
    ...theirs.secrets[name].map((secret) => [`their ${name}`, secret]),
  ]);
  return [...secrets, ['their words', theirs.mark]].flatMap(([what, secret]) =>
    text.includes(secret!) ? [`It leaks ${what}.`] : [],
  );
}

/** True if the details of a failure say that part of the request was done. */
export function reportsPartialSuccess({ body }: Reply): boolean {
  const details = body.error?.details;
  if (typeof details !== 'object' || details === null) return false;
  // Domains return two lists, annotations a result for each of them.
  return Object.entries(details).some(
    ([name, value]) =>
      /^domains(Added|Removed)$/.test(name) || (value as { success?: unknown } | null)?.success === true,
  );
}
