import {
  type ModelChoice,
  ModelFailure,
  type ModelProvider,
  type ModelWish,
  modelProviders,
} from './models.ts';

export interface ChoiceSettings {
  /** True for providers with a key or an address. */
  configured: Readonly<Record<ModelProvider, boolean>>;
  /** `provider/model`. */
  defaultModel?: string | undefined;
  /** `provider/model` each; empty allows any. */
  allowedModels: readonly string[];
}

/** Defaults when neither an agent nor the operator names a model. */
const ownDefaults: Record<ModelProvider, string> = {
  claude: 'claude-sonnet-5',
  openai: 'gpt-5.6-luna',
  gemini: 'gemini-3.6-flash',
};

/** True for Redpen's own default, when no setting names a model. */
export const isOwnDefault = (
  { provider, model }: ModelChoice,
  { defaultModel }: Pick<ChoiceSettings, 'defaultModel'>,
): boolean => defaultModel === undefined && model === ownDefaults[provider];

const MAX_OFFERED_MODELS = 4;

/** Advises the operator how to configure one of a server's models. */
export function adviseModel(provider: ModelProvider, names: readonly string[]): string {
  const [first, ...others] = names
    .filter((name) => !/embed/i.test(name))
    .map((name) => `${provider}/${name}`)
    .slice(0, MAX_OFFERED_MODELS);
  if (first === undefined)
    return `Set REDPEN_MODEL to ${provider}/ and the name of a model, which the server has yet to load.`;
  return `Set REDPEN_MODEL=${first}${others.length === 0 ? '' : `, or to ${others.join(', ')}`}.`;
}

export const settingsOf: Record<ModelProvider, string> = {
  claude: 'ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL',
  openai: 'OPENAI_API_KEY or OPENAI_BASE_URL',
  gemini: 'GOOGLE_GENERATIVE_AI_API_KEY or GOOGLE_GENERATIVE_AI_BASE_URL',
};

function providerOfName(model: string | undefined): ModelProvider | undefined {
  if (model === undefined) return undefined;
  if (/^(gpt-|o1-|o3-|o4-|chatgpt-)/.test(model) || /^o[134]$/.test(model)) return 'openai';
  if (model.startsWith('claude-')) return 'claude';
  return model.startsWith('gemini-') ? 'gemini' : undefined;
}

const isAllowed = ({ provider, model }: ModelChoice, settings: ChoiceSettings): boolean =>
  settings.allowedModels.length === 0 ||
  settings.allowedModels.includes(`${provider}/${model}`) ||
  settings.defaultModel === `${provider}/${model}`;

const notAllowed = (name: string): string =>
  `The model ${name} is not among those that this installation allows (REDPEN_MODELS).`;

function split(name: string): ModelChoice {
  const slash = name.indexOf('/');
  return { provider: name.slice(0, slash) as ModelProvider, model: name.slice(slash + 1) };
}

/**
 * Chooses a model by wishes in order of precedence, field by field. A wished model of another provider than the chosen
 * one is ignored. Throws `ModelFailure` (`not-configured`).
 */
export function resolveModel(
  wishes: readonly (ModelWish | undefined)[],
  settings: ChoiceSettings,
): ModelChoice {
  let provider: ModelProvider | undefined;
  let model: string | undefined;
  for (const wish of wishes) {
    const itsProvider = wish?.provider ?? providerOfName(wish?.model);
    if (itsProvider !== undefined && provider !== undefined && itsProvider !== provider) continue;
    provider ??= itsProvider;
    model ??= wish?.model;
  }
  provider ??= defaultProvider(settings);
  if (model === undefined) {
    const [mapped] = wishes.flatMap((wish) => wish?.defaultModels?.[provider] ?? []);
    model = mapped ?? defaultModel(provider, settings);
  }
  const choice = { provider, model };
  assertUsable(choice, settings);
  return choice;
}

/** Model names that are safe within the path of a URL: no `..`, no query. */
export const NAME_IN_ADDRESS = /^(?!.*\.\.)[\w.:@-]+(?:\/[\w.:@-]+)*$/;

/** Throws `ModelFailure` (`not-configured`) for a model that is not configured, or not on the operator's list. */
export function assertUsable(choice: ModelChoice, settings: ChoiceSettings): void {
  const { provider, model } = choice;
  if (!settings.configured[provider]) {
    throw new ModelFailure(
      'not-configured',
      `The model provider ${provider} is not configured: set ${settingsOf[provider]}.`,
    );
  }
  if (provider === 'gemini' && !NAME_IN_ADDRESS.test(model)) {
    throw new ModelFailure('not-configured', 'The name of the model is none that gemini could have.');
  }
  if (!isAllowed(choice, settings)) {
    throw new ModelFailure('not-configured', notAllowed(`${provider}/${model}`));
  }
}

function defaultProvider({ defaultModel, configured }: ChoiceSettings): ModelProvider {
  if (defaultModel !== undefined) return split(defaultModel).provider;
  const first = modelProviders.find((provider) => configured[provider]);
  if (first !== undefined) return first;
  throw new ModelFailure(
    'not-configured',
    'No model provider is configured: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, or the address of a server with ANTHROPIC_BASE_URL, OPENAI_BASE_URL or GOOGLE_GENERATIVE_AI_BASE_URL.',
  );
}

/** Redpen's default, or the first on the operator's list if the default is not on it, since no caller has chosen it. */
function defaultModel(provider: ModelProvider, settings: ChoiceSettings): string {
  const operators = settings.defaultModel === undefined ? undefined : split(settings.defaultModel);
  if (operators?.provider === provider) return operators.model;
  const model = ownDefaults[provider];
  if (isAllowed({ provider, model }, settings)) return model;
  return settings.allowedModels.map(split).find((it) => it.provider === provider)?.model ?? model;
}

/** Sentence that explains why the operator's list forbids a wish; undefined if it is allowed. */
export function refusalOfWish(
  wish: ModelWish,
  { allowedModels, defaultModel }: Pick<ChoiceSettings, 'allowedModels' | 'defaultModel'>,
): string | undefined {
  if (allowedModels.length === 0) return undefined;
  const allowed = [...allowedModels, ...(defaultModel === undefined ? [] : [defaultModel])].map(split);
  const refused = (model: string, provider: ModelProvider | undefined) =>
    !allowed.some((it) => it.model === model && (provider === undefined || it.provider === provider));
  const wished: [string, ModelProvider | undefined][] = [
    ...(wish.model === undefined
      ? []
      : [[wish.model, wish.provider ?? providerOfName(wish.model)] as [string, ModelProvider | undefined]]),
    ...(Object.entries(wish.defaultModels ?? {}).map(([provider, model]) => [model, provider]) as [
      string,
      ModelProvider,
    ][]),
  ];
  const bad = wished.find(([model, provider]) => refused(model, provider));
  return bad && notAllowed(bad[1] === undefined ? bad[0] : `${bad[1]}/${bad[0]}`);
}
