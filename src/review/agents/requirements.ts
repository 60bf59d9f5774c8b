import type { Fields } from '../../lib/json.ts';
import type { Models, ModelWish } from '../../outside/models/models.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import { asRunFault, RunFault } from '../core/run-error.ts';

export interface RunInputs {
  url: string;
  organizationId: string;
  documentId: string;
  variables: Fields;
  userContext: Fields;
}

/** Inputs that the agent requires and the run lacks, as sentences. A run that lacks any ends as `skipped`. */
export function missingInputs(rules: AgentBehavior['input'], inputs: RunInputs): string[] {
  const has = (name: string): boolean => {
    const key = name.replace(/^(variables|userContext)\./, '');
    const value = own(inputs, name) ?? own(inputs.variables, key) ?? own(inputs.userContext, key);
    return value !== undefined && value !== '' && typeof value !== 'object';
  };
  const required = rules?.inputRequirements?.requires ?? [];
  const oneOf = rules?.inputRequirements?.requiresOneOf ?? [];
  return [
    ...required.filter((name) => !has(name)).map((name) => `The agent requires ${name}.`),
    ...(oneOf.length > 0 && !oneOf.some(has) ? [`The agent requires one of ${oneOf.join(', ')}.`] : []),
    ...(rules?.variableKeys ?? [])
      .filter((name) => own(inputs.variables, name) === undefined)
      .map((name) => `The variable ${name} is missing.`),
    ...(rules?.userContextFields ?? [])
      .filter(
        (field) =>
          field.required &&
          field.defaultValue === undefined &&
          own(inputs.userContext, field.id) === undefined,
      )
      .map((field) => `The user context field ${field.id} is missing.`),
  ];
}

const own = (record: object, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key as keyof typeof record] : undefined;

/** Fails the run before any cost if its strategy does not exist, as after a downgrade. */
export function requireStrategy(strategy: string, known: readonly string[]): void {
  if (known.includes(strategy)) return;
  throw new RunFault('INTERNAL', `No execution strategy is named ${strategy}.`, { retryable: false });
}

/** Fails the run before any cost if the agent needs a model that is not configured. */
export function requireModel(
  execution: NonNullable<AgentBehavior['execution']>,
  wishes: readonly (ModelWish | undefined)[],
  models: Pick<Models, 'choose' | 'configured'>,
): void {
  const { executionStrategy = 'ai', modelOptional } = execution;
  if (executionStrategy === 'service') return;
  if (modelOptional === true && !Object.values(models.configured).some(Boolean)) return;
  try {
    models.choose(...wishes);
  } catch (error) {
    throw asRunFault(error, 'LLM_ERROR');
  }
}
