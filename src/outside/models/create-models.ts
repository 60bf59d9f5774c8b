import { Agent } from 'undici';
import { inSpan, type Span } from '../../lib/tracing/tracing.ts';
import { modelRequests, modelSeconds, modelTokens } from '../net/outbound-metrics.ts';
import { askProvider } from './ask-provider.ts';
import {
  adviseModel,
  assertUsable,
  type ChoiceSettings,
  isOwnDefault,
  resolveModel,
} from './choose-model.ts';
import { isOwnAddress } from './language-model.ts';
import { listModels } from './list-models.ts';
import {
  type ModelAnswer,
  ModelFailure,
  type ModelProvider,
  type ModelRequest,
  type Models,
  modelProviders,
  type TokenUsage,
} from './models.ts';
import { createRequester, type OutputLimit } from './request-answer.ts';

export interface ModelSettings {
  providers: Record<ModelProvider, { apiKey?: string | undefined; baseUrl?: string | undefined }>;
  /** `provider/model`. */
  defaultModel?: string | undefined;
  /** `provider/model` each; empty allows any. */
  allowedModels: readonly string[];
  /** Limit of the tokens of one answer. By default, none is sent where the provider's API allows that. */
  maxOutputTokens?: number | undefined;
  /** First back-off between retries if the provider names no delay; it doubles, with jitter. Default 500. */
  backoffMs?: number | undefined;
}

/**
 * For Anthropic's API, which demands a limit: enough for a long list of findings, and for thinking before it. Its client
 * lowers it to the limit of a known model.
 */
const DEMANDED_OUTPUT_TOKENS = 32_000;

/** Names of the providers in the semantic conventions for generative AI. */
const OTEL_PROVIDERS: Record<ModelProvider, string> = {
  claude: 'anthropic',
  openai: 'openai',
  gemini: 'gcp.gemini',
};

async function counted<T>(
  provider: ModelProvider,
  asked: Promise<ModelAnswer<T>>,
  span: Span,
): Promise<ModelAnswer<T>> {
  const endTimer = modelSeconds.startTimer({ provider });
  const count = (outcome: string, { promptTokens, completionTokens, thoughtsTokens }: TokenUsage) => {
    endTimer();
    span.set({
      'gen_ai.usage.input_tokens': promptTokens,
      'gen_ai.usage.output_tokens': completionTokens,
    });
    modelRequests.inc({ provider, outcome });
    modelTokens.inc({ provider, kind: 'prompt' }, promptTokens);
    modelTokens.inc({ provider, kind: 'completion' }, Math.max(0, completionTokens - thoughtsTokens));
    modelTokens.inc({ provider, kind: 'thoughts' }, thoughtsTokens);
  };
  try {
    const answer = await asked;
    count('answered', answer.usage);
    return answer;
  } catch (error) {
    if (error instanceof ModelFailure) count(error.kind, error.usage);
    throw error;
  }
}

const LIST_WITHIN_MS = 5_000;

/** The language models of this installation. Requests go only to the addresses of the providers. */
export function createModels(settings: ModelSettings): Models {
  const configured = Object.fromEntries(
    modelProviders.map((provider) => {
      const { apiKey, baseUrl } = settings.providers[provider];
      return [provider, apiKey !== undefined || baseUrl !== undefined];
    }),
  ) as Record<ModelProvider, boolean>;
  const choice: ChoiceSettings = {
    configured,
    defaultModel: settings.defaultModel,
    allowedModels: settings.allowedModels,
  };

  let agent: Agent | undefined;
  // No transport timeouts, since a model may think for minutes; the timeout of the whole question still applies.
  const theAgent = () =>
    (agent ??= new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } }));
  const requesters = Object.fromEntries(
    modelProviders.map((provider) => [
      provider,
      createRequester(settings.providers[provider], theAgent, settings.backoffMs ?? 500),
    ]),
  ) as Record<ModelProvider, ReturnType<typeof createRequester>>;

  const outputLimit = (provider: ModelProvider): OutputLimit | undefined => {
    if (settings.maxOutputTokens !== undefined) return { tokens: settings.maxOutputTokens, isSet: true };
    return provider === 'claude' ? { tokens: DEMANDED_OUTPUT_TOKENS, isSet: false } : undefined;
  };

  /** Adds advice to the failure of an operator's server that lacks Redpen's default model. */
  async function withAdvice(failure: ModelFailure, { choice, signal }: ModelRequest<unknown>) {
    const { provider } = choice;
    const isTheirs = isOwnAddress(provider, settings.providers[provider]);
    const isOfModel = /^The provider refused the request \((404\b|4(00|22)\b.*model)/i.test(failure.message);
    if (!isOfModel || isTheirs || !isOwnDefault(choice, settings)) return failure;
    const time = AbortSignal.timeout(LIST_WITHIN_MS);
    const list = await listModels(provider, settings.providers[provider], {
      dispatcher: theAgent(),
      signal: signal ? AbortSignal.any([signal, time]) : time,
    });
    if (list.kind !== 'listed' || list.names.includes(choice.model)) return failure;
    const message = `${failure.message} REDPEN_MODEL is not set. ${adviseModel(provider, list.names)}`;
    return new ModelFailure('rejected', message, { usage: failure.usage, cause: failure.cause });
  }

  return {
    configured,
    choose: (...wishes) => resolveModel(wishes, choice),
    async ask(request) {
      const { provider } = request.choice;
      assertUsable(request.choice, choice);
      const { model } = request.choice;
      const attributes = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': OTEL_PROVIDERS[provider],
        'gen_ai.request.model': model,
      };
      try {
        return await inSpan(`chat ${model}`, { kind: 'client', attributes }, (span) =>
          counted(
            provider,
            askProvider(request, requesters[provider], { output: outputLimit(provider) }),
            span,
          ),
        );
      } catch (error) {
        throw await withAdvice(error as ModelFailure, request);
      }
    },
    async close() {
      await agent?.destroy();
      agent = undefined;
    },
  };
}
