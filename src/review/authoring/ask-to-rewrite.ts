import { invalidArgument } from '../../lib/errors.ts';
import { storable } from '../../lib/text/cut-text.ts';
import { tokenBudget } from '../../outside/models/model-api-error.ts';
import { ModelFailure, type ModelProvider, type Models } from '../../outside/models/models.ts';

const REASONING = /^o[134](-|$)/;

const PROVIDERS: { provider: ModelProvider; name: string; models: RegExp }[] = [
  { provider: 'openai', name: 'OpenAI', models: /^(gpt-|chatgpt-|o[134](-|$))/ },
  { provider: 'claude', name: 'Anthropic', models: /^claude-/ },
  { provider: 'gemini', name: 'Gemini', models: /^gemini-/ },
];

export type Rewrite = { success: true; text: string } | { success: false; error: string };

/**
 * Has a model rewrite a text according to a prompt. Throws `ApiError` if no provider is known for the name of the
 * model.
 */
export async function askToRewrite(
  { model, prompt, text }: { model: string; prompt: string; text: string },
  { models, tokens }: { models: Models; tokens: number },
): Promise<Rewrite> {
  const known = PROVIDERS.find(({ models: names }) => names.test(model));
  if (!known) {
    throw invalidArgument(
      'model must begin with gpt-, o1-, o3-, o4-, claude- or gemini-, which tells its provider.',
    );
  }
  const { provider, name } = known;
  if (!models.configured[provider]) {
    return { success: false, error: `No API key configured for provider: ${name}` };
  }
  try {
    const { data } = await models.ask({
      choice: models.choose({ provider, model }),
      // Reasoning models work best with everything in one message.
      ...(REASONING.test(model)
        ? { instructions: '', parts: [{ text: `${prompt}\n\n${text}` }] }
        : { instructions: prompt, parts: [{ text }] }),
      budget: tokenBudget(tokens),
    });
    return { success: true, text: storable(data) };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { success: false, error: error.message };
  }
}
