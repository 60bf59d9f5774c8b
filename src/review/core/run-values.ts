import type { Gathered } from '../core/gathered.ts';
import { type MemoryEntry, memoryText } from '../memory/memory-entry.ts';
import { REST_API_BLOCK } from '../prompt/fill-instructions.ts';
import type { Run } from './run-state.ts';

/**
 * What templates of the agent are filled from: what the caller sent, with the defaults of the agent's own fields.
 * What was gathered over `rest-api` is there once it is, as JSON.
 */
export function valuesOf(
  { request, behavior }: Run,
  gathered: Gathered[] = [],
  memory: readonly MemoryEntry[] = [],
): Record<string, unknown> {
  const defaults = (behavior.input?.userContextFields ?? [])
    .filter(({ defaultValue }) => defaultValue !== undefined)
    .map(({ id, defaultValue }) => [id, defaultValue]);
  const userContext = { ...Object.fromEntries(defaults), ...request.userContext };
  const restApi = gathered.find(({ name, error }) => name === REST_API_BLOCK && error === undefined)?.data;
  return {
    ...request.variables,
    variables: request.variables,
    userContext,
    restApiData: restApi === undefined ? '' : JSON.stringify(restApi),
    memoryContext: memoryText(memory),
  };
}
