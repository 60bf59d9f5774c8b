import { onTestFinished } from 'vitest';
import { refusalOfWish } from '../../src/outside/models/choose-model.ts';
import { createModels } from '../../src/outside/models/create-models.ts';
import type { Models, ModelWish } from '../../src/outside/models/models.ts';

/** The models of an installation without a configured provider. */
const noModels = createModels({ providers: { claude: {}, openai: {}, gemini: {} }, allowedModels: [] });

let current: Models = noModels;

/** The models of the shared service: none, unless a test stages some. */
export const stagedModels: Models = {
  get configured() {
    return current.configured;
  },
  choose: (...wishes) => current.choose(...wishes),
  ask: (request) => current.ask(request),
  close: async () => {},
};

/** Gives the shared service these models until the test ends. */
export function stageModels(models: Models): void {
  current = models;
  onTestFinished(() => {
    current = noModels;
  });
}

let allowedModels: readonly string[] = [];

/** Why the shared service refuses a requested model: it refuses none, unless a test allows only some. */
export const refusalOfStagedModel = (requested: ModelWish): string | undefined =>
  refusalOfWish(requested, { allowedModels });

/** Allows callers of the shared service only these models (`provider/model`) until the test ends. */
export function stageAllowedModels(models: readonly string[]): void {
  allowedModels = models;
  onTestFinished(() => {
    allowedModels = [];
  });
}
