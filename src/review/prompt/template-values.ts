import type { Fields } from '../../lib/json.ts';
import type { MemoryEntry } from '../core/execution-strategy.ts';
import type { Gathered } from '../core/gathered.ts';
import type { Run } from '../core/run-state.ts';
import { REST_API_BLOCK } from './fill-instructions.ts';
import { memoryText } from './memory-entries.ts';

/**
 * Values for the templates of an agent: each variable of the request by its name, `variables`, `userContext` with the
 * agent's defaults, `restApiData` as JSON (empty before it was gathered) and `memoryContext`.
 */
export function templateValues(
  { request, behavior }: Run,
  gathered: Gathered[] = [],
  memory: readonly MemoryEntry[] = [],
): Fields {
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
