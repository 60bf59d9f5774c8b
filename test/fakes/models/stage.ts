import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ModelChoice, ModelNote, ModelRequest, ModelTool } from '../../../src/outside/models/models.ts';
import { type FakeModels, type FakeOptions, fakeModels, type Script } from './fake-models.ts';

/** Every provider, in every wire format that it is asked in. */
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

/** A fake of all providers until the test ends, and a way to ask it that keeps the notes. */
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
    /** The model and what differs from a plain question for `findings`. */
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

/** What a question fails with. */
export const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it has an answer'),
    (error) => error,
  );
