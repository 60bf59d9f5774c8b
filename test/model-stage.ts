import { onTestFinished } from 'vitest';
import { refusalOfWish } from '../src/outside/models/choose-model.ts';
import { createModels } from '../src/outside/models/create-models.ts';
import type { Models, ModelWish } from '../src/outside/models/models.ts';

/** As on an installation where no provider is configured. */
const none = createModels({ providers: { claude: {}, openai: {}, gemini: {} }, allowedModels: [] });

let current: Models = none;

/** The models of the shared service: none, but for a test that stages some. */
export const stagedModels: Models = {
  get configured() {
    return current.configured;
  },
  choose: (...wishes) => current.choose(...wishes),
  ask: (request) => current.ask(request),
  close: async () => {},
};

/** Lets the shared service have these models until the test ends. */
export function stageModels(models: Models): void {
  current = models;
  onTestFinished(() => {
    current = none;
  });
}

let allowedModels: readonly string[] = [];

/** What the shared service says of a wish for a model: nothing, but for a test that allows only some. */
export const judgeStagedModel = (wish: ModelWish): string | undefined =>
  refusalOfWish(wish, { allowedModels });

/** Lets callers of the shared service name these models alone, as `provider/model`, until the test ends. */
export function stageAllowedModels(models: readonly string[]): void {
  allowedModels = models;
  onTestFinished(() => {
    allowedModels = [];
  });
}
