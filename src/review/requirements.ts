import { RunFault } from './run-fault.ts';

export interface RunInputs {
  url: string;
  organizationId: string;
  documentId: string;
  variables: Record<string, unknown>;
  userContext: Record<string, unknown>;
}

interface InputRules {
  variableKeys?: string[];
  userContextFields?: { id: string; type: string; required?: boolean; defaultValue?: unknown }[];
  inputRequirements?: { requires?: string[]; requiresOneOf?: string[] };
}

/** What a run lacks of what its agent asks for, as sentences; with any, nothing is spent and it ends `skipped`. */
export function missingInputs(rules: InputRules | undefined, inputs: RunInputs): string[] {
  const has = (name: string): boolean => {
    const key = name.replace(/^(variables|userContext)\./, '');
    const value =
      own(inputs as unknown as Record<string, unknown>, name) ??
      own(inputs.variables, key) ??
      own(inputs.userContext, key);
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

const own = (record: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;

export interface ModelProviders {
  openai: boolean;
  claude: boolean;
  gemini: boolean;
}

const settingOf = {
  openai: 'OPENAI_API_KEY',
  claude: 'ANTHROPIC_API_KEY',
  gemini: 'GOOGLE_GENERATIVE_AI_API_KEY',
};

/** Refuses, before anything is spent, a strategy that cannot run on this installation. */
export function requireStrategy(
  strategy: string,
  known: readonly string[],
  provider: string | undefined,
  providers: ModelProviders,
): void {
  if (known.includes(strategy)) return;
  if (provider !== undefined && !providers[provider as keyof ModelProviders]) {
    const setting = settingOf[provider as keyof ModelProviders] ?? 'its key';
    throw new RunFault('LLM_ERROR', `No key is configured for the provider ${provider}. Set ${setting}.`, {
      retryable: false,
    });
  }
  if (!Object.values(providers).some(Boolean)) {
    throw new RunFault(
      'LLM_ERROR',
      `The execution strategy ${strategy} needs a language model, and none is configured. Set ${Object.values(settingOf).join(', or ')}.`,
      { retryable: false },
    );
  }
  throw new RunFault(
    'LLM_ERROR',
    `This version of Redpen cannot run the execution strategy ${strategy} yet.`,
    { retryable: false },
  );
}
