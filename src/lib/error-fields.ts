import { withoutQueries } from './without-queries.ts';

/** Fields of an error for the log. Other properties are left out: they may hold data of a caller. */
export interface ErrorFields {
  type: string;
  message: string;
  /** With those of its causes. */
  stack?: string;
  code?: string;
}

const MOST_CAUSES = 5;

/** An error, or whatever was thrown, as the log shows it. */
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
  for (let cause: unknown = error; cause instanceof Error && stacks.length < MOST_CAUSES; cause = cause.cause)
    stacks.push(cause.stack ?? `${cause.name}: ${cause.message}`);
  return stacks.join('\ncaused by: ');
}
