import { onTestFinished } from 'vitest';
import { createModels } from '../src/outside/models/create-models.ts';
import type { Models } from '../src/outside/models/models.ts';

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
