import { type Agent, type RequestInit, fetch as undiciFetch } from 'undici';
import { USER_AGENT } from '../../lib/version.ts';
import { repairTokenCounts } from './token-count.ts';

/** Limit of an answer; an event stream takes about a hundred bytes per token. */
const MAX_ANSWER_BYTES = 16_000_000;

/** The answer exceeds the limit; the rest is not read. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong';
}

/** The response is not an answer of a model, but for example an error page of a proxy. */
export class UnreadableAnswer extends Error {
  override name = 'UnreadableAnswer';
  /** Beginning of the body. */
  readonly body: string | undefined;

  constructor(message: string, body?: string) {
    super(message);
    this.body = body;
  }
}

/** Characters of an unreadable answer that are kept for the message of the failure. */
const MAX_KEPT_CHARS = 20_000;

/** The server does not stream; it has sent its answer in one piece. */
export class UnstreamedAnswer extends Error {
  override name = 'UnstreamedAnswer';
  readonly text: string;

  constructor(text: string) {
    super('The answer was not streamed.');
    this.text = text;
  }
}

/**
 * The `fetch` of the providers' clients. It follows no redirect, which would take the key elsewhere, and limits answers
 * to 16 MB.
 */
export const createLimitedFetch = (dispatcher: Agent): typeof fetch =>
  (async (input: string, init: RequestInit) => {
    const headers = new Headers(init.headers as Record<string, string>);
    headers.set('user-agent', USER_AGENT);
    const response = await undiciFetch(input, {
      ...init,
      headers: Object.fromEntries(headers),
      redirect: 'manual',
      dispatcher,
    });
    const body = (response.body as ReadableStream<Uint8Array> | null)?.pipeThrough(lengthLimit());
    return new Response(body ?? null, {
      status: response.status,
      headers: Object.fromEntries(response.headers),
    });
  }) as unknown as typeof fetch;

/**
 * The same for streams, with token counts repaired. Throws `UnstreamedAnswer` or `UnreadableAnswer` if the response
 * is no stream.
 */
export const createStreamingFetch = (dispatcher: Agent): typeof fetch => {
  const send = createLimitedFetch(dispatcher);
  return async (...request) => {
    const answer = await send(...request);
    if (!answer.ok) return answer;
    const type = answer.headers.get('content-type') ?? '';
    if (/^application\/([\w.-]+\+)?json/i.test(type)) throw new UnstreamedAnswer(await answer.text());
    // Some compatible servers send streams with another content type.
    if (/html|xml|^image\//i.test(type)) {
      const isImage = /^image/i.test(type);
      const body = isImage ? '' : await beginningOf(answer);
      if (isImage) await answer.body?.cancel();
      throw new UnreadableAnswer('The provider answered with something that is no answer of a model.', body);
    }
    return new Response(
      (answer.body ?? new Blob([]).stream())
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(repairLines())
        .pipeThrough(new TextEncoderStream()),
      answer,
    );
  };
};

async function beginningOf({ body }: Response): Promise<string> {
  if (!body) return '';
  const decoder = new TextDecoder();
  let text = '';
  // Leaving the loop cancels the rest of the body.
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= MAX_KEPT_CHARS) break;
  }
  return text.slice(0, MAX_KEPT_CHARS);
}

/** A `fetch` that returns a response received earlier. */
export const replayResponse = (text: string): typeof fetch =>
  (async () =>
    new Response(repairUnstreamed(text), {
      headers: { 'content-type': 'application/json' },
    })) as typeof fetch;

function lengthLimit(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_ANSWER_BYTES) throw new AnswerTooLong('The answer of the model is too long.');
      controller.enqueue(chunk);
    },
  });
}

function repairLines(): TransformStream<string, string> {
  let rest: string[] = [];
  let isStream = false;
  let isEmpty = true;
  let beginning = '';
  return new TransformStream({
    transform(chunk, controller) {
      isEmpty &&= chunk.trim() === '';
      if (!isStream && beginning.length < MAX_KEPT_CHARS) beginning += chunk.slice(0, MAX_KEPT_CHARS);
      const end = chunk.lastIndexOf('\n') + 1;
      if (end > 0) {
        const lines = rest.join('') + chunk.slice(0, end);
        isStream ||= EVENT_LINE.test(lines);
        controller.enqueue(lines.split('\n').map(repairLine).join('\n'));
        rest = [];
      }
      rest.push(chunk.slice(end));
    },
    flush(controller) {
      const last = rest.join('');
      if (!isStream && !isEmpty && !EVENT_LINE.test(last)) {
        throw new UnreadableAnswer('The answer of the provider is no stream of events.', beginning);
      }
      controller.enqueue(last);
    },
  });
}

const EVENT_LINE = /^(data|event|id|retry|):/m;

/** Repairs token counts in a line of the stream. Throws `UnreadableAnswer` if it contains no JSON. */
function repairLine(line: string): string {
  if (!line.startsWith('data:')) return line;
  const text = line.slice('data:'.length).trim();
  if (text === '' || text === '[DONE]') return line;
  const event = parsed(text);
  if (event === undefined) throw new UnreadableAnswer('An event of the provider is not JSON.', text);
  return COUNTED.test(text) ? `data: ${JSON.stringify(repairTokenCounts(event))}` : line;
}

const COUNTED = /"(usage|usageMetadata)"|"message_(start|delta)"/;

function repairUnstreamed(text: string): string {
  const answer = parsed(text);
  return answer === undefined ? text : JSON.stringify(repairTokenCounts(answer));
}

/** Parses JSON, also with NaN and the like in place of numbers. */
function parsed(text: string): unknown {
  for (const candidate of [text, text.replace(/:\s*(NaN|-?Infinity)\b/g, ':0')]) {
    try {
      return JSON.parse(candidate);
    } catch {}
  }
  return undefined;
}
