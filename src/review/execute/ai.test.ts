import { expect, onTestFinished, test } from 'vitest';
import { fakeModels } from '../../../test/fakes/models/fake-models.ts';
import { bareContext, bareTask } from '../../../test/review-inputs.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import { ai } from './ai.ts';

const page = {
  name: 'web-page-text',
  data: { text: 'Welcome to our shopp.' },
  parts: [
    { text: 'Visible text: Welcome to our shopp.' },
    { image: Buffer.from('png'), mimeType: 'image/png' },
  ],
};

async function ask(execution: Record<string, unknown>, answer: object) {
  const fake = await fakeModels(() => answer);
  onTestFinished(() => fake.close());
  const lines: LogLine[] = [];
  const kept: string[] = [];
  const result = await ai.execute(
    {
      ...bareTask,
      url: 'https://shop.example/',
      instructions: 'Proofread.',
      execution,
      gathered: [page],
    },
    {
      ...bareContext,
      models: fake.models,
      storeArtifact: async ({ bytes }) => String(kept.push(Buffer.from(bytes).toString())),
      log: (line) => void lines.push(line),
      signal: new AbortController().signal,
    },
  );
  return { result, fake, lines, kept };
}

test('a model gets text and pictures with the descriptions of the agent, and is asked for findings', async () => {
  const finding = {
    title: 'Typo',
    description: 'shopp',
    severity: 'low',
    targetText: 'shopp',
    confidence: 95,
  };
  const { result, fake, lines, kept } = await ask(
    { responseDescriptions: { title: 'At most three words.' } },
    { json: { summary: 'One typo.', findings: [finding] } },
  );
  expect(result).toMatchObject({ summary: 'One typo.', findings: [{ targetText: 'shopp', confidence: 95 }] });
  const { images, schema } = fake.requests[0]!.question!;
  expect(images).toHaveLength(1);
  expect(JSON.stringify(schema)).toContain('At most three words.');
  expect(lines).toMatchObject([{ kind: 'model', data: { turn: 1 } }]);
  expect(JSON.stringify(lines)).not.toContain('Welcome');
  expect(kept[0]).toContain('Welcome to our shopp.');
});

test('an agent that requests text gets it as the summary, without findings', async () => {
  const { result, lines } = await ask(
    { aiConfig: { responseMimeType: 'text/markdown' } },
    { text: '# All is *well*' },
  );
  expect(result).toMatchObject({ findings: [], summary: '# All is *well*' });
  expect(lines.at(-1)!.message).toContain('text/markdown');
});
