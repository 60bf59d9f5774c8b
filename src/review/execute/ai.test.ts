import { expect, onTestFinished, test } from 'vitest';
import { fakeModels } from '../../../test/fakes/models/fake-models.ts';
import { bareContext, bareTask } from '../../../test/reviews/review-inputs.ts';
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

async function ask(execution: Record<string, unknown>, answer: object, kept: string[] = []) {
  const fake = await fakeModels(() => answer);
  onTestFinished(() => fake.close());
  const lines: LogLine[] = [];
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

test('an invented quote is marked and falls to a low severity, although a picture was sent', async () => {
  const finding = { title: 'Refund', description: 'It promises one.', severity: 'critical', confidence: 99 };
  const { result, lines } = await ask(
    {},
    { json: { summary: '', findings: [{ ...finding, targetText: 'full refund' }] } },
  );
  expect(result.findings).toMatchObject([{ severity: 'low', confidence: 50, quoteFound: false }]);
  expect(lines.at(-1)!.message).toContain("quote words that the page's text does not have");
});

test('what a server says about its failure is in the error and in the record of the prompt', async () => {
  const answer = { status: 400, message: 'This model takes no pictures.' };
  const kept: string[] = [];
  const error = await ask({}, answer, kept).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  const message = 'The provider refused the request (400: This model takes no pictures).';
  expect(error?.message).toBe(message);
  expect(kept[0]).toContain(`- No answer: ${message}`);
});
