import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { openaiError } from './openai-chat.ts';
import { firstProblem } from './question.ts';

/** A vector for each text, or a failure. */
export type EmbeddingReply =
  | number[][]
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang';

export interface FakeEmbeddings {
  /** Base URL of a provider, as an operator would set it. */
  url(provider: 'openai' | 'gemini'): string;
  /** All valid requests, in order, with their API key. */
  requests: { model: string; texts: string[]; key: string | undefined }[];
  close(): Promise<void>;
}

const openaiRequest = z.strictObject({
  model: z.string().min(1),
  input: z.array(z.string().min(1).max(32_000)).min(1).max(2_048),
  encoding_format: z.literal('float').optional(),
});
const geminiContent = {
  model: z.string().regex(/^models\/.+$/),
  content: z.strictObject({
    role: z.literal('user').optional(),
    parts: z.array(z.strictObject({ text: z.string().min(1) })).length(1),
  }),
};
const geminiRequest = z.strictObject(geminiContent);
const geminiBatch = z.strictObject({ requests: z.array(geminiRequest).min(1).max(100) });

/**
 * A server with OpenAI's and Gemini's wire formats for embeddings, which answers by a script. It validates requests like
 * the real provider, and answers an invalid one with 400 and the reason.
 */
export async function fakeEmbeddings(
  script: (texts: string[], number: number) => EmbeddingReply,
): Promise<FakeEmbeddings> {
  const requests: FakeEmbeddings['requests'] = [];

  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const path = request.url ?? '';
    const body = await json(request);
    const isGemini = path.startsWith('/v1beta/models/');
    const isBatch = path.endsWith(':batchEmbedContents');
    const isKnown = isGemini ? isBatch || path.endsWith(':embedContent') : path === '/v1/embeddings';
    if (request.method !== 'POST' || !isKnown) return send(404, openaiError(404, 'Not Found'));
    const parsed = (isGemini ? (isBatch ? geminiBatch : geminiRequest) : openaiRequest).safeParse(body);
    if (!parsed.success) return send(400, openaiError(400, firstProblem(parsed.error)));
    const { data } = parsed;
    const contents = 'requests' in data ? data.requests : 'content' in data ? [data] : [];
    const texts = 'input' in data ? data.input : contents.map(({ content }) => content.parts[0]!.text);
    const model = 'input' in data ? data.model : /models\/([^:]+):/.exec(path)![1]!;
    const { authorization, 'x-goog-api-key': googleKey } = request.headers;
    const key = isGemini ? String(googleKey) : authorization?.replace('Bearer ', '');
    const number = requests.push({ model, texts, key }) - 1;

    const reply = script(texts, number);
    if (reply === 'hang') return;
    if (!Array.isArray(reply)) {
      return send(reply.status, reply.body ?? openaiError(reply.status, 'Scripted failure.'), reply.headers);
    }
    if (!isGemini) {
      const items = reply.map((embedding, index) => ({ object: 'embedding', index, embedding }));
      // The order is not guaranteed; clients must use `index`.
      return send(200, {
        object: 'list',
        data: items.reverse(),
        model,
        usage: { prompt_tokens: 1, total_tokens: 1 },
      });
    }
    const vectors = reply.map((values) => ({ values }));
    return send(200, isBatch ? { embeddings: vectors } : { embedding: vectors[0] });
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (provider) => `http://127.0.0.1:${port}/${provider === 'gemini' ? 'v1beta' : 'v1'}`,
    requests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
