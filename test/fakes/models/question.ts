import type { z } from 'zod';
import type { ModelProvider } from '../../../src/outside/models/models.ts';

export type WireFormat = 'messages' | 'chat' | 'responses' | 'gemini';

/** What a provider was asked, told the same way whatever its wire format is. */
export interface Question {
  provider: ModelProvider;
  format: WireFormat;
  model: string;
  /** The system's part. */
  system: string;
  /** What the user's messages say, in order; the last is the newest. */
  texts: string[];
  images: { mimeType: string; base64: string }[];
  /** Tools that may be called in this turn; none where the request forbids calls. */
  tools: { name: string; description: string; schema: unknown }[];
  /** Results of all calls so far, in order. */
  toolResults: { text: string; isError: boolean }[];
  /** The JSON Schema that the answer must fit, in whichever way it is given; undefined for free text. */
  schema: unknown;
  /** Answers of the model so far in this conversation. */
  turn: number;
  temperature?: number | undefined;
  maxOutputTokens?: number | undefined;
}

export interface TokenCounts {
  input?: unknown;
  output?: unknown;
  thoughts?: unknown;
}

/** What a model says. */
export interface Spoken {
  /** The answer as JSON, given in whichever way the provider does it. */
  json?: unknown;
  text?: string;
  toolCalls?: { name: string; input: unknown }[];
  /** The model will not answer; its words. */
  refusal?: string;
  /** A filter of the provider ends it after some words. */
  filtered?: boolean;
  /** Ends because of the limit of output tokens. */
  cutShort?: boolean;
  /** Thinks first. */
  thoughts?: string;
  /** Default: 10 in, 5 out. null leaves the counts out. */
  usage?: TokenCounts | null;
  /** The connection breaks in the middle of the answer. */
  cutOff?: boolean;
  /** Sends so many bytes each 5 ms. */
  drip?: number;
}

export type Reply =
  | Spoken
  /** Another status than 200; without a body it is the provider's own form of an error. */
  | { status: number; message?: string; headers?: Record<string, string>; body?: string }
  /** Nothing comes: not even headers, or nothing behind them. */
  | { hang: 'headers' | 'body' }
  /** 200 with these bytes, or with so many bytes of the letter a. */
  | { garbage: string | number; contentType?: string };

/** What a request holds, or what is wrong with it in the provider's eyes. */
export type Reading = { question: Question; stream: boolean } | { wrong: string };

/** One event of a stream; the name where the format has names. */
export interface StreamEvent {
  name?: string;
  data: unknown;
}

export interface Format {
  format: WireFormat;
  provider: ModelProvider;
  /** Whether a request with this path, without the query, is of this format. */
  speaks(path: string): boolean;
  read(url: URL, headers: Record<string, string>, body: unknown): Reading;
  events(spoken: Spoken, question: Question): StreamEvent[];
  /** What ends a stream, behind the events. */
  closing?: string;
  /** The provider's form of an error. */
  error(status: number, message: string): unknown;
}

/** The first thing that is wrong with a request, by the path to it. */
export function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.join('.') || 'body'}: ${issue?.message}`;
}

/** What an answer says as text. */
export const spokenText = (spoken: Spoken): string =>
  spoken.json === undefined ? (spoken.text ?? '') : JSON.stringify(spoken.json);

/** A result where the format has no place for errors but the text. */
export function resultOf(text: string): Question['toolResults'][number] {
  const { error } = /^\{"error":/.test(text) ? (JSON.parse(text) as { error: string }) : {};
  return { text: error ?? text, isError: error !== undefined };
}

/** Both halves of a text, so that an answer comes in more than one piece. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}

export const counts = (spoken: Spoken): Required<TokenCounts> | undefined =>
  spoken.usage === null ? undefined : { input: 10, output: 5, thoughts: 0, ...spoken.usage };

/** Whether every object of a schema is closed; strict ones list all their properties as required, too. */
export function isClosed(schema: unknown, strict: boolean): boolean {
  if (Array.isArray(schema)) return schema.every((part) => isClosed(part, strict));
  if (typeof schema !== 'object' || schema === null) return true;
  const { type, properties, additionalProperties, required, ...rest } = schema as Record<string, unknown>;
  const names = Object.keys((properties ?? {}) as object);
  if (type === 'object') {
    if (additionalProperties !== false) return false;
    if (strict && !names.every((name) => ((required ?? []) as string[]).includes(name))) return false;
  }
  return [...Object.values((properties ?? {}) as object), ...Object.values(rest)].every((part) =>
    isClosed(part, strict),
  );
}
