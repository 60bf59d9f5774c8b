import { withoutQueries } from './without-queries.ts';

/** Fields of an error for the log. Other properties are omitted, because they may contain data of a caller. */
export interface ErrorFields {
  type: string;
  message: string;
  /** Includes the stacks of its causes. */
  stack?: string;
  code?: string;
}

const MAX_CAUSES = 5;

/** Log fields of an error or of any other thrown value. */
export function errorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutQueries(String(error)) };
  const { code } = error as { code?: unknown };
  return {
    type: error.constructor.name,
    message: withoutQueries(error.message),
    stack: withoutQueries(stackOf(error)),
    ...(typeof code === 'string' && { code }),
  };
}

function stackOf(error: Error): string {
  const stacks: string[] = [];
  for (let cause: unknown = error; cause instanceof Error && stacks.length < MAX_CAUSES; cause = cause.cause)
    stacks.push(cause.stack ?? `${cause.name}: ${cause.message}`);
  return stacks.join('\ncaused by: ');
}
