import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { openBody } from './open-body.ts';
import { verify } from './verify.ts';

interface Receiver {
  /** `whsec_…`, of the endpoint. */
  secret: string;
  /** PEM; only where messages are encrypted. */
  privateKey?: string;
  /** Keeps the message for whoever works on it. An id that is there already is a repeat, and changes nothing. */
  keep(id: string, message: Record<string, unknown>): Promise<void>;
}

export function createReceiver({ secret, privateKey, keep }: Receiver): Server {
  return createServer(async (request, response) => {
    const answer = (status: number) => response.writeHead(status).end();
    try {
      if (request.method !== 'POST') return answer(405);
      // The bytes as they are: parsed and written again, they would no longer be what was signed.
      const body = await buffer(request);
      try {
        verify(secret, request.headers, body);
      } catch {
        return answer(401);
      }
      const message = openBody(body.toString('utf8'), privateKey);
      await keep(String(request.headers['webhook-id']), message);
      // Only now, since a message that was answered with 2xx does not come again.
      answer(204);
    } catch (error) {
      console.error(error);
      // It comes again later.
      answer(500);
    }
  });
}
