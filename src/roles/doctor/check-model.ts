import { Agent } from 'undici';
import { adviseModel } from '../../outside/models/choose-model.ts';
import { createModels } from '../../outside/models/create-models.ts';
import { addressOf, isOwnAddress } from '../../outside/models/language-model.ts';
import { listModels, type ModelList } from '../../outside/models/list-models.ts';
import { type ModelChoice, type ModelProvider, modelProviders } from '../../outside/models/models.ts';
import type { ProviderSettings } from '../setup/places.ts';
import { asSentence, type Finding, failed, joinFindings, ok, skipped, warning } from './check.ts';
import type { Clocks } from './check-clock.ts';

interface Options {
  providers: ProviderSettings;
  /** REDPEN_MODEL. */
  defaultModel: string | undefined;
  /** REDPEN_MODELS. */
  allowedModels: readonly string[];
  signal: AbortSignal;
  clocks?: Clocks | undefined;
}

const KEYS: Record<ModelProvider, string> = {
  claude: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  gemini: 'GOOGLE_GENERATIVE_AI_API_KEY',
};
export const ADDRESSES: Record<ModelProvider, string> = {
  claude: 'ANTHROPIC_BASE_URL',
  openai: 'OPENAI_BASE_URL',
  gemini: 'GOOGLE_GENERATIVE_AI_BASE_URL',
};

/** Lists the models of each configured provider. No prompt is sent and no token is spent. */
export async function checkModel(options: Options): Promise<Finding> {
  const { providers, defaultModel, allowedModels, signal } = options;
  const models = createModels(options);
  const dispatcher = new Agent();
  try {
    const configured = modelProviders.filter((provider) => models.configured[provider]);
    if (configured.length === 0 && defaultModel === undefined)
      return skipped(
        'No provider is set (ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY or an address): agents without a model work.',
      );
    let chosen: ModelChoice;
    try {
      chosen = models.choose();
    } catch (error) {
      const { message } = error as Error;
      return failed(message, 'Set the key or address of the provider that REDPEN_MODEL names.', message);
    }
    const findings = await Promise.all(
      configured.map(async (provider) => {
        const list = await listModels(provider, providers[provider], { dispatcher, signal });
        options.clocks?.noteDate(addressOf(provider, providers[provider].baseUrl), list.date);
        const asked = [
          ...(chosen.provider === provider ? [chosen.model] : []),
          ...allowedModels
            .filter((name) => name.startsWith(`${provider}/`))
            .map((name) => name.slice(provider.length + 1)),
        ];
        return judge(provider, list, [...new Set(asked)], options);
      }),
    );
    return joinFindings(findings);
  } finally {
    await models.close();
    await dispatcher.destroy();
  }
}

function judge(
  provider: ModelProvider,
  list: ModelList,
  asked: readonly string[],
  { providers, defaultModel }: Options,
): Finding {
  const address = addressOf(provider, providers[provider].baseUrl);
  const hasAddress = providers[provider].baseUrl !== undefined;
  if (list.kind === 'failed') {
    return failed(
      asSentence(list.reason.includes(address) ? list.reason : `${address}: ${list.reason}`),
      hasAddress
        ? `${ADDRESSES[provider]} names that address. Start the server there, or set another address.`
        : 'Allow this machine to reach that address, or set the address of your own server.',
      `The model provider ${provider} cannot be reached (${hasAddress ? ADDRESSES[provider] : KEYS[provider]}).`,
    );
  }
  if (list.kind === 'key-refused')
    return failed(
      `${address} refuses the key (HTTP ${list.status}).`,
      `Set ${KEYS[provider]} to a key that is valid there.`,
      `The model provider ${provider} refuses the key (${KEYS[provider]}).`,
    );
  if (list.kind === 'unlisted')
    return warning(
      `${address} answers, and lists no models (HTTP ${list.status}).`,
      hasAddress
        ? `Check the path of ${ADDRESSES[provider]}; compatible servers answer under /v1.`
        : undefined,
      `The model provider ${provider} lists no models.`,
    );
  const missing = asked.filter((name) => !list.names.includes(name));
  const found = `${address} answers with ${list.names.length} ${list.names.length === 1 ? 'model' : 'models'}`;
  if (missing.length === 0)
    return ok(`${found}${asked.length === 0 ? '' : `, ${asked.join(', ')} among them`}.`);
  const isOurs = isOwnAddress(provider, providers[provider]);
  const named = missing.map((name) => `${provider}/${name}`).join(', ');
  const isUnset = defaultModel === undefined;
  // Providers do not list aliases, while a compatible server lists all of its models.
  const say = isOurs ? warning : failed;
  return say(
    `${found}, but not ${named}${isUnset ? ', the default if REDPEN_MODEL is not set' : ''}.`,
    adviseModel(provider, list.names),
    `The model provider ${provider} does not offer the requested model (REDPEN_MODEL).`,
  );
}
