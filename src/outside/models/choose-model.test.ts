import { expect, test } from 'vitest';
import { type ChoiceSettings, refusalOfWish, resolveModel } from './choose-model.ts';
import { ModelFailure, type ModelWish } from './models.ts';

const all: ChoiceSettings = { configured: { claude: true, openai: true, gemini: true }, allowedModels: [] };
const choose = (wishes: (ModelWish | undefined)[], settings: Partial<ChoiceSettings> = {}) => {
  const { provider, model } = resolveModel(wishes, { ...all, ...settings });
  return `${provider}/${model}`;
};

test.each<[(ModelWish | undefined)[], Partial<ChoiceSettings>, string]>([
  [[], {}, 'claude/claude-sonnet-5'],
  [[], { configured: { claude: false, openai: true, gemini: true } }, 'openai/gpt-5.6-luna'],
  [[undefined, {}], { defaultModel: 'gemini/own' }, 'gemini/own'],
  [[{ provider: 'openai' }], { defaultModel: 'gemini/own' }, 'openai/gpt-5.6-luna'],
  [[{ provider: 'gemini' }], { defaultModel: 'gemini/own' }, 'gemini/own'],
  [[{ model: 'o3-mini' }], {}, 'openai/o3-mini'],
  [[{ model: 'chatgpt-x' }], {}, 'openai/chatgpt-x'],
  [[{ model: 'gemini-9' }], {}, 'gemini/gemini-9'],
  [[{ model: 'llama' }], { defaultModel: 'openai/x' }, 'openai/llama'],
  [[{ provider: 'openai', model: 'claude-on-a-gateway' }], {}, 'openai/claude-on-a-gateway'],
  // Each field is resolved on its own, but a model is never combined with the provider of another.
  [[{ provider: 'openai' }, { model: 'llama' }], {}, 'openai/llama'],
  [[{ model: 'llama' }, { provider: 'gemini' }], {}, 'gemini/llama'],
  [[{ provider: 'openai' }, { provider: 'claude', model: 'c' }], {}, 'openai/gpt-5.6-luna'],
  [[{ provider: 'openai' }, { model: 'claude-x' }, { model: 'gpt-7' }], {}, 'openai/gpt-7'],
  [[{ provider: 'gemini', defaultModels: { gemini: 'g', claude: 'c' } }], {}, 'gemini/g'],
  [[{ defaultModels: { claude: 'c' } }], { defaultModel: 'claude/own' }, 'claude/c'],
  // Without a request, the model is taken from the operator's list.
  [[], { allowedModels: ['gemini/g', 'claude/c'] }, 'claude/c'],
])('the requests %j with the settings %j choose %s', (wishes, settings, expected) => {
  expect(choose(wishes, settings)).toBe(expected);
});

test.each<[ModelWish, Partial<ChoiceSettings>, string]>([
  [
    { provider: 'openai' },
    { configured: { claude: true, openai: false, gemini: true } },
    'The model provider openai is not configured: set OPENAI_API_KEY or OPENAI_BASE_URL.',
  ],
  [
    {},
    { configured: { claude: false, openai: false, gemini: false } },
    'No model provider is configured: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, or the address of a server with ANTHROPIC_BASE_URL, OPENAI_BASE_URL or GOOGLE_GENERATIVE_AI_BASE_URL.',
  ],
  [
    { model: 'gpt-9' },
    { allowedModels: ['openai/gpt-5'] },
    'The model openai/gpt-9 is not among those that this installation allows (REDPEN_MODELS).',
  ],
  // The name becomes part of the address.
  ...['gemini-2/../../files', 'gemini-2?x', 'gemini-2#', '../x', 'a//b', 'gemini-%2e'].map(
    (model): [ModelWish, Partial<ChoiceSettings>, string] => [
      { provider: 'gemini', model },
      {},
      'The name of the model is none that gemini could have.',
    ],
  ),
])('the request %j with the settings %j fails as not configured', (wish, settings, message) => {
  const attempt = () => choose([wish], settings);
  expect(attempt).toThrow(ModelFailure);
  expect(attempt).toThrow(expect.objectContaining({ kind: 'not-configured', message, retryable: false }));
});

test.each<[ModelWish, string | undefined]>([
  [{ provider: 'claude', model: 'a' }, undefined],
  [{ provider: 'openai', model: 'a' }, 'openai/a'],
  [{ model: 'a' }, undefined],
  [{ model: 'b' }, 'b'],
  [{ model: 'own' }, undefined],
  [{ model: 'claude-b' }, 'claude/claude-b'],
  [{ defaultModels: { claude: 'a', openai: 'a' } }, 'openai/a'],
  [{ provider: 'openai' }, undefined],
])('for the request %j, the allow list refuses %s', (wish, refused) => {
  const sentence = refusalOfWish(wish, { allowedModels: ['claude/a'], defaultModel: 'gemini/own' });
  expect(sentence).toBe(
    refused && `The model ${refused} is not among those that this installation allows (REDPEN_MODELS).`,
  );
  expect(refusalOfWish(wish, { allowedModels: [] })).toBeUndefined();
});
