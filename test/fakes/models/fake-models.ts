import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createModels, type ModelSettings } from '../../../src/outside/models/create-models.ts';
import type { ModelProvider, Models } from '../../../src/outside/models/models.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Format, Question, Reply, Spoken, WireFormat } from './question.ts';

export type { Question, Reply } from './question.ts';

/** Answers a question; `number` is the number of earlier requests, over all providers. */
export type Script = (question: Question, number: number) => Reply | Promise<Reply>;

export interface RecordedRequest {
  path: string;
  headers: Record<string, string>;
  /** The body as received. */
  body: string;
  /** Undefined if the request is invalid. */
  question: Question | undefined;
  /** The error that the provider would answer with. */
  wrong: string | undefined;
}

export interface FakeModels {
  /** Base URL of a provider, as an operator would set it. */
  url(provider: ModelProvider): string;
  /** All requests, in order. */
  requests: RecordedRequest[];
  /** All three providers, served by this fake; for `stageModels`. */
  models: Models;
  close(): Promise<void>;
}

export interface FakeOptions {
  /** The API of the OpenAI-compatible server, by default chat; the other is 404. */
  openaiSpeaks?: 'chat' | 'responses';
  /** Answer to a request for the list of models. By default it is 404, and the request is not recorded. */
  lists?: { names: string[]; status?: number };
  /** Changes of the settings, which by default configure all three providers with this server's URLs. */
  settings?: Partial<ModelSettings>;
}

/**
 * A server with the wire formats of all providers (Anthropic messages, OpenAI chat and responses, Gemini
 * generateContent; streamed), which answers by a script. It validates requests like the real provider, and answers an
 * invalid one with 400 and the reason.
 *
 *     const fake = await fakeModels(({ toolResults }) =>
 *       toolResults.length === 0 ? { toolCalls: [{ name: 'look', input: {} }] } : { json: { findings: [] } });
 *     onTestFinished(() => fake.close());
 *     stageModels(fake.models);
 */
export async function fakeModels(script: Script, options: FakeOptions = {}): Promise<FakeModels> {
  const absent: WireFormat = options.openaiSpeaks === 'responses' ? 'chat' : 'responses';
  const formats = [anthropicMessages, openaiChat, openaiResponses, gemini];
  const requests: RecordedRequest[] = [];
  const shutdown = new AbortController();

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const headers = request.headers as Record<string, string>;
    const body = await textOf(request);
    const recorded: RecordedRequest = {
      path: request.url ?? '/',
      headers,
      body,
      question: undefined,
      wrong: undefined,
    };
    const asksForList = request.method === 'GET' && /^\/v1(beta)?\/models$/.test(url.pathname);
    if (asksForList && !options.lists) return sendJson(response, 404, openaiChat.error(404, 'Not Found'));
    const number = requests.push(recorded) - 1;
    if (options.lists && asksForList) {
      const { names, status = 200 } = options.lists;
      if (status !== 200) return sendJson(response, status, openaiChat.error(status, 'Scripted failure.'));
      // One answer with the fields of all providers.
      return sendJson(response, 200, {
        data: names.map((id) => ({ id })),
        models: names.map((name) => ({ name: `models/${name}` })),
        has_more: false,
      });
    }
    const format = formats.find(
      (candidate) => candidate.format !== absent && candidate.matches(url.pathname),
    );
    const fail = (status: number, wrong: string) => {
      recorded.wrong = wrong;
      sendJson(response, status, (format ?? openaiChat).error(status, wrong));
    };
    if (format === undefined) return fail(404, 'Not Found');
    if (request.method !== 'POST') return fail(405, 'Method not allowed');
    if (!headers['content-type']?.startsWith('application/json')) return fail(400, 'Not JSON.');
    const reading = format.read(url, headers, parsed(body));
    if ('wrong' in reading) return fail(400, reading.wrong);
    reading.question.schema ??= schemaInWords(reading.question.system);
    recorded.question = reading.question;
    if (!reading.stream) return fail(400, 'This fake answers only with streams.');
    await sendReply(
      response,
      format,
      reading.question,
      await script(reading.question, number),
      shutdown.signal,
    );
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = (provider: ModelProvider) =>
    `http://127.0.0.1:${port}/${provider === 'gemini' ? 'v1beta' : 'v1'}`;
  const models = createModels({
    providers: {
      claude: { baseUrl: url('claude') },
      openai: { baseUrl: url('openai') },
      gemini: { baseUrl: url('gemini') },
    },
    allowedModels: [],
    ...options.settings,
  });
  return {
    url,
    requests,
    models,
    async close() {
      shutdown.abort();
      await models.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function sendReply(
  response: ServerResponse,
  format: Format,
  question: Question,
  reply: Reply,
  shutdown: AbortSignal,
): Promise<void> {
  if ('status' in reply) {
    const { status, message = 'Scripted failure.', headers = {}, body } = reply;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body ?? JSON.stringify(format.error(status, message)));
    return;
  }
  if ('hang' in reply) {
    if (reply.hang === 'body')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    return;
  }
  if ('garbage' in reply) {
    response.writeHead(200, { 'content-type': reply.contentType ?? 'text/event-stream' });
    const { garbage } = reply;
    if (typeof garbage === 'string') response.end(garbage);
    else await sendLetters(response, garbage);
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  await sendStream(response, format, question, reply, shutdown);
}

async function sendStream(
  response: ServerResponse,
  format: Format,
  question: Question,
  spoken: Spoken,
  shutdown: AbortSignal,
): Promise<void> {
  const bytes = Buffer.from(
    format
      .events(spoken, question)
      .map(
        ({ name, data }) =>
          `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`,
      )
      .join('') + (format.closing ?? ''),
  );
  if (spoken.cutOff) {
    response.write(bytes.subarray(0, Math.floor(bytes.length * 0.75)));
    // Closes the connection after these bytes are sent, so that none is lost.
    response.socket?.destroySoon();
    return;
  }
  if (spoken.drip !== undefined) {
    for (let at = 0; at < bytes.length && !response.destroyed; at += spoken.drip) {
      response.write(bytes.subarray(at, at + spoken.drip));
      await sleep(5, undefined, { signal: shutdown });
    }
  } else {
    response.write(bytes);
  }
  response.end();
}

async function sendLetters(response: ServerResponse, count: number): Promise<void> {
  function* blocks() {
    for (let sent = 0; sent < count; sent += 65_536) yield Buffer.alloc(65_536, 'a');
  }
  await pipeline(Readable.from(blocks()), response).catch(() => {});
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The schema in the instructions, for a provider without structured output. */
function schemaInWords(system: string): unknown {
  const words = /fit this JSON Schema:\n(.*)$/.exec(system)?.[1];
  return words === undefined ? undefined : parsed(words);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
