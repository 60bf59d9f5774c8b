import { z } from 'zod';
import { isObject } from '../../lib/json.ts';
import { isDeeper } from '../../lib/nesting.ts';
import { shorten } from '../../lib/text/cut-text.ts';

/** The JSON Schema for a model's answer, and a parser for it. */
export interface AnswerShape {
  schema: Record<string, unknown>;
  /** True if the schema meets OpenAI's strict mode: objects are closed, and all properties required. */
  strict: boolean;
  /** Parses the model's text; `wrong` is a clause that says what is wrong with it. */
  read(text: string): { data: unknown } | { wrong: string };
}

const MAX_DEPTH = 100;

/** Derives the JSON Schema that is sent to a provider from the zod schema of the answer. */
export function answerShape(schema: z.ZodType): AnswerShape {
  const own = closed(
    z.toJSONSchema(schema, { target: 'draft-7', io: 'input', reused: 'inline', unrepresentable: 'any' }),
  ) as Record<string, unknown>;
  // Providers accept only objects at the top level.
  const wrapped = own.type !== 'object';
  const { $schema: _, ...inner } = own;
  const whole = wrapped
    ? { type: 'object', properties: { answer: inner }, required: ['answer'], additionalProperties: false }
    : inner;
  return {
    schema: whole,
    strict: isStrict(whole),
    read(text) {
      const found = findJson(text);
      if (found === undefined) return { wrong: text.trim() === '' ? 'it is empty' : 'it is not JSON' };
      if (isDeeper(found.json, MAX_DEPTH)) return { wrong: 'it is nested too deeply' };
      const given =
        wrapped && isObject(found.json) && 'answer' in found.json ? found.json.answer : found.json;
      const parsed = schema.safeParse(given);
      if (parsed.success) return { data: parsed.data };
      const issues = parsed.error.issues
        .slice(0, 5)
        .map(
          (issue) => `${shorten(issue.path.join('.') || 'the whole', 80)}: ${shorten(issue.message, 120)}`,
        );
      return { wrong: `it does not fit the schema (${issues.join('; ')})` };
    },
  };
}

/** Instructions that replace the provider's schema support, for servers without it. */
export const schemaInstructions = (shape: AnswerShape): string =>
  `Give your final answer as one JSON object and nothing else, without a code fence. It must fit this JSON Schema:\n${JSON.stringify(shape.schema)}`;

/** Adds `additionalProperties: false` to objects with properties, as providers require. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (!isObject(node)) return node;
  const { properties, enum: values, const: constant, default: _, ...rest } = node;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, closed(part)])),
    ...(values !== undefined && { enum: values }),
    ...(constant !== undefined && { const: constant }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, closed(part)])),
      additionalProperties: rest.additionalProperties ?? false,
    }),
  };
}

function isStrict(node: unknown): boolean {
  if (Array.isArray(node)) return node.every(isStrict);
  if (!isObject(node)) return true;
  const { properties, required, ...rest } = node;
  if (node.type === 'object') {
    if (node.additionalProperties !== false) return false;
    const names = Object.keys(isObject(properties) ? properties : {});
    if (!names.every((name) => Array.isArray(required) && required.includes(name))) return false;
  }
  return [...Object.values(isObject(properties) ? properties : {}), ...Object.values(rest)].every(isStrict);
}

/** Finds the JSON of an answer, also inside of text or a code fence. */
function findJson(text: string): { json: unknown } | undefined {
  const braced = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, fencedPart(text), braced]) {
    if (candidate === undefined || candidate === '') continue;
    try {
      return { json: JSON.parse(candidate) };
    } catch {}
  }
  return undefined;
}

/** Searches line by line, since a regular expression over the whole would backtrack without end on fences alone. */
function fencedPart(text: string): string | undefined {
  const lines = text.split('\n');
  const open = lines.findIndex((line) => /```(?:json)?$/i.test(line.trimEnd()));
  const end = open < 0 ? -1 : lines.findIndex((line, at) => at > open && line.trimStart().startsWith('```'));
  return end < 0 ? undefined : lines.slice(open + 1, end).join('\n');
}
