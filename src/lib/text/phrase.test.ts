import { expect, test } from 'vitest';
import { z } from 'zod';
import { phrase } from './phrase.ts';

const messagesOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value, { error: phrase }).error?.issues.map((issue) => issue.message) ?? [];

const choice = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bearer') }),
  z.object({ type: z.literal('none') }),
]);

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is required'],
  [z.string(), null, 'must be a string'],
  [z.string(), 5, 'must be a string'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(3), 'ab', 'must have at least 3 characters'],
  [z.string().max(1), 'ab', 'must have at most 1 character'],
  [z.number(), '20', 'must be a number'],
  [z.number(), Number.NaN, 'must be a number'],
  [z.number().int(), 1.5, 'must be a whole number'],
  [z.number().int().min(1), 0, 'must be at least 1'],
  [z.number().max(100), 101, 'must be at most 100'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.boolean(), 'true', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
  [z.object({}), [], 'must be an object'],
  [z.record(z.string(), z.string()), [], 'must be an object'],
  [z.record(z.string().regex(/^a/, 'must begin with a'), z.string()), { b: '' }, 'must begin with a'],
  [z.enum(['a', 'b', 'c']), 'd', 'must be a, b or c'],
  [z.enum(['a', 'b']), undefined, 'is required'],
  [z.literal('http'), 'sse', 'must be http'],
  [z.email(), 'x', 'must be an email address'],
  [z.url({ protocol: /^https?$/ }), 'ftp://x', 'must be a valid http(s) URL'],
  [z.union([z.string(), z.array(z.string())]), 5, 'must be a string or a list'],
  [z.union([z.string(), z.array(z.string())]), undefined, 'is required'],
  [z.union([z.literal(''), z.url()]), 'x', 'must be a valid http(s) URL'],
  [choice, { type: 'oauth' }, 'must be bearer or none'],
  [choice, {}, 'is required'],
  [z.string().min(9, { error: 'must be long' }), '', 'must be long'],
])('%# describes the problem', (schema, value, expected) => {
  expect(messagesOf(schema, value)).toEqual([expected]);
});
