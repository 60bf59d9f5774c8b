import type { z } from 'zod';
import type { ModelProvider } from '../../../src/outside/models/models.ts';

export type WireFormat = 'messages' | 'chat' | 'responses' | 'gemini';

/** A request to a provider, independent of its wire format. */
export interface Question {
  provider: ModelProvider;
  format: WireFormat;
  model: string;
  /** The system instructions. */
  system: string;
  /** Texts of the user's messages, oldest first. */
  texts: string[];
  images: { mimeType: string; base64: string }[];
  /** Tools that may be called in this turn; none if the request forbids calls. */
  tools: { name: string; description: string; schema: unknown }[];
  /** Results of all calls so far, in order. */
  toolResults: { text: string; isError: boolean }[];
  /** The JSON Schema of the answer, however the request states it; undefined for free text. */
  schema: unknown;
  /** Number of answers of the model so far in the conversation. */
  turn: number;
  temperature?: number | undefined;
  maxOutputTokens?: number | undefined;
}

export interface TokenCounts {
  input?: unknown;
  output?: unknown;
  thoughts?: unknown;
}

/** The answer of a model. */
export interface Spoken {
  /** The answer as JSON, in the way of the provider. */
  json?: unknown;
  text?: string;
  toolCalls?: { name: string; input: unknown }[];
  /** The model refuses to answer, with this text. */
  refusal?: string;
  /** A filter of the provider ends the answer early. */
  filtered?: boolean;
  /** The limit of output tokens ends the answer. */
  cutShort?: boolean;
  /** Reasoning before the answer. */
  thoughts?: string;
  /** By default 10 input and 5 output tokens; null leaves the counts out. */
  usage?: TokenCounts | null;
  /** The connection breaks in the middle of the answer. */
  cutOff?: boolean;
  /** Sends this many bytes every 5 ms. */
  drip?: number;
}

export type Reply =
  | Spoken
  /** A status other than 200; the body is by default an error of the provider. */
  | { status: number; message?: string; headers?: Record<string, string>; body?: string }
  /** Sends nothing (`headers`), or only headers (`body`). */
  | { hang: 'headers' | 'body' }
  /** 200 with this text, or with this number of letters `a`. */
  | { garbage: string | number; contentType?: string };

/** A parsed request, or the error that the provider would answer with. */
export type Reading = { question: Question; stream: boolean } | { wrong: string };

/** An event of a stream; it has a name if the format uses names. */
export interface StreamEvent {
  name?: string;
  data: unknown;
}

export interface Format {
  format: WireFormat;
  provider: ModelProvider;
  /** True if a request with this path (without the query) has this format. */
  matches(path: string): boolean;
  read(url: URL, headers: Record<string, string>, body: unknown): Reading;
  events(spoken: Spoken, question: Question): StreamEvent[];
  /** Text after the last event of a stream. */
  closing?: string;
  /** The body of an error of the provider. */
  error(status: number, message: string): unknown;
}

/** The first issue of a request, with its path. */
export function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.join('.') || 'body'}: ${issue?.message}`;
}

/** The text of an answer: its JSON or its plain text. */
export const spokenText = (spoken: Spoken): string =>
  spoken.json === undefined ? (spoken.text ?? '') : JSON.stringify(spoken.json);

/** The result of a tool call, in a format that marks errors only in the text. */
export function resultOf(text: string): Question['toolResults'][number] {
  const { error } = /^\{"error":/.test(text) ? (JSON.parse(text) as { error: string }) : {};
  return { text: error ?? text, isError: error !== undefined };
}

/** Splits a text into two halves, so that an answer arrives in several pieces. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}

export const counts = (spoken: Spoken): Required<TokenCounts> | undefined =>
  spoken.usage === null ? undefined : { input: 10, output: 5, thoughts: 0, ...spoken.usage };

/** True if every object of a schema is closed and, if `strict`, lists all its properties as required. */
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
