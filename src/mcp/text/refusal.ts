import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { isRedpenError, type RedpenError } from '../../../packages/client/src/errors.ts';
import { MAX_ANSWER_BYTES, shortenToBytes } from './answer.ts';

/** A refusal by a tool itself, before it asks the service. The message says what to do instead. */
export class Refusal extends Error {
  override name = 'Refusal';
}

/** The next step after a failure, by its status. */
const NEXT: Partial<Record<string, string>> = {
  UNAUTHENTICATED:
    'The credentials are no longer valid: ask the person to connect you again, in the console under Assistants.',
  NOT_FOUND: 'Ids come from overview, list_findings and get_review: look it up there.',
  INVALID_ARGUMENT: 'Correct the arguments and call again.',
  ABORTED: 'Call again.',
  UNAVAILABLE:
    'The service cannot answer right now: call again in a few seconds, and tell the person if that persists.',
  DEADLINE_EXCEEDED: 'It took too long: call again, with less at once.',
  INTERNAL: 'This is a fault of the service: tell the person, with the request id.',
};

const SCOPES: Record<string, string> = {
  comment: 'write comments',
  decide: 'decide on findings',
  review: 'start reviews',
};

/** The next step after a refusal for lack of rights. */
function nextOfDenial({ message }: RedpenError): string {
  const scope = /with the scope (\w+)/.exec(message)?.[1];
  if (scope !== undefined) {
    return `You are not allowed to ${SCOPES[scope] ?? scope}: do not try it in another way. Tell the person what you would do, or ask for a token with the scope ${scope} (in the console under Assistants).`;
  }
  if (message.startsWith('A user token')) {
    return 'Ask the person for a personal token (in the console under Assistants), which opens this tool.';
  }
  return 'Tell the person; do not try it in another way.';
}

function nextOf(error: RedpenError, hints: Partial<Record<string, string>>): string {
  const { status, retryAfterMs } = error;
  if (status === 'RESOURCE_EXHAUSTED') {
    return retryAfterMs === undefined
      ? 'Wait a minute, or ask for less at once.'
      : `Wait ${Math.ceil(retryAfterMs / 1_000)} seconds, then call again.`;
  }
  if (status === 'PERMISSION_DENIED') return nextOfDenial(error);
  // The message names the command that allows an internal host.
  if (error.message.includes('allow-host')) return 'Ask the person to allow it, if it is their own.';
  return hints[status] ?? NEXT[status] ?? '';
}

const failed = (status: string, text: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: shortenToBytes(text, MAX_ANSWER_BYTES / 2) }],
  structuredContent: { error: { status, message: shortenToBytes(text, MAX_ANSWER_BYTES / 4) } },
});

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The result of a tool for input that does not fit its schema. */
export function refusalOfInput({ issues }: z.ZodError, fields: readonly string[]): CallToolResult {
  const problems = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return failed(
    'INVALID_ARGUMENT',
    `The arguments are not valid. ${problems.join('. ')}. The tool takes: ${fields.join(', ') || 'none'}.`,
  );
}

/** The result of a tool for a failure of the service. Rethrows what is none. */
export function refusalOf(error: unknown, hints: Partial<Record<string, string>> = {}): CallToolResult {
  if (error instanceof Refusal) return failed('FAILED_PRECONDITION', error.message);
  if (!isRedpenError(error)) throw error;
  const { status, message, hint, requestId } = error;
  const sentences = [message, hint, nextOf(error, hints)].flatMap((one) => (one ? [sentence(one)] : []));
  const id = status === 'INTERNAL' && requestId !== undefined ? ` Request id: ${requestId}.` : '';
  return failed(status, sentences.join(' ') + id);
}
