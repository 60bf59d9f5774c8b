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

/** What a run lacks of what its agent asks for, as sentences; with any, nothing is spent and it ends `skipped`. */
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

/** Refuses, before anything is spent, a strategy that this version does not have. */
export function requireStrategy(strategy: string, known: readonly string[]): void {
  if (known.includes(strategy)) return;
  throw new RunFault('INTERNAL', `No execution strategy is named ${strategy}.`, { retryable: false });
}

/** Refuses, before anything is spent, an agent that asks a model where the one that is meant cannot be asked. */
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
