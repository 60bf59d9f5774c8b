import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ModelChoice, ModelNote, ModelRequest, ModelTool } from '../../../src/outside/models/models.ts';
import { type FakeModels, type FakeOptions, fakeModels, type Script } from './fake-models.ts';

/** Every provider with each of its wire formats. */
export const everyFormat: [string, ModelChoice, FakeOptions][] = [
  ['claude', { provider: 'claude', model: 'claude-sonnet-5' }, {}],
  ['openai by chat', { provider: 'openai', model: 'gpt-5.6-luna' }, {}],
  ['openai by responses', { provider: 'openai', model: 'gpt-5.6-luna' }, { openaiSpeaks: 'responses' }],
  ['gemini', { provider: 'gemini', model: 'gemini-3.6-flash' }, {}],
];

export const findings = z.object({
  findings: z.array(z.object({ title: z.string(), severity: z.enum(['low', 'high']) })),
});
export const one = { findings: [{ title: 'Typo', severity: 'low' as const }] };

/** Starts a fake of all providers, which closes when the test ends; `ask` collects the notes of its requests. */
export async function stage(script: Script, options: FakeOptions = {}) {
  const fake: FakeModels = await fakeModels(script, {
    ...options,
    settings: { backoffMs: 1, ...options.settings },
  });
  onTestFinished(() => fake.close());
  const notes: ModelNote[] = [];
  return {
    fake,
    notes,
    /** Asks for `findings`, with the changes of `more`. */
    ask: (choice: ModelChoice, more: Partial<ModelRequest<unknown>> = {}) =>
      fake.models.ask({
        choice,
        instructions: 'You review pages.',
        parts: [{ text: 'The page.' }],
        schema: findings,
        note: (note) => notes.push(note),
        ...more,
      }),
  };
}

export const tool = (name: string, call: ModelTool['call']): ModelTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  call,
});

/** The error of a request that must fail. */
export const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('the request succeeded'),
    (error) => error,
  );
