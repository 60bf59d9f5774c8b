import { expect, test } from 'vitest';
import { z } from 'zod';
import { everyFormat, one, stage, tool } from '../../../test/fakes/models/stage.ts';
import { answerShape } from './answer-shape.ts';
import { callTools } from './call-tools.ts';

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const shape = answerShape(z.object({ title: z.string() }));

test.each([
  ['```json', '\n', 4_000],
  ['', 'a```\n', 60_000],
  ['```', ' ', 400_000],
])('an answer of %j and endless %j is refused as not JSON without hanging', (begin, more, count) => {
  expect(shape.read(begin + more.repeat(count))).toEqual({ wrong: 'it is not JSON' });
});

test('JSON that is nested too deeply is neither an answer nor the input of a tool', async () => {
  expect(shape.read(`{"title":"a","more":${deep}}`)).toEqual({ wrong: 'it is nested too deeply' });
  const call = { id: '1', name: 'look', input: `{"q":${deep}}` };
  const never = tool('look', () => expect.unreachable());
  const notes: unknown[] = [];
  const { message } = await callTools([call], [never], new AbortController().signal, (note) =>
    notes.push(note),
  );
  expect(message.content).toMatchObject([
    { output: { type: 'error-text', value: 'The input is nested too deeply.' } },
  ]);
  expect(notes).toMatchObject([{ input: undefined, isError: true }]);
});

test.each(everyFormat)(
  '%s gets an error for unknown tools, whatever their names, and for too many calls',
  async (_name, choice, options) => {
    const many = Array.from({ length: 100 }, () => ({ name: 'look', input: {} }));
    const toolCalls = [{ name: '__proto__', input: {} }, { name: 'constructor', input: {} }, ...many];
    const { ask, notes } = await stage(
      ({ toolResults }) => (toolResults.length === 0 ? { toolCalls } : { json: one }),
      options,
    );
    let calls = 0;
    const look = tool('look', async () => ({ text: String(++calls), isError: false }));
    expect((await ask(choice, { tools: [look] })).data).toEqual(one);
    expect(calls).toBe(30);
    expect(notes.filter(({ kind }) => kind === 'tool')).toHaveLength(33);
  },
);
