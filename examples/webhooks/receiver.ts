import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { openBody } from './open-body.ts';
import { verify } from './verify.ts';

interface Receiver {
  /** Secret of the endpoint, `whsec_…`. */
  secret: string;
  /** PEM; only needed for encrypted messages. */
  privateKey?: string;
  /** Stores the message for later processing. A known id is a repeated delivery and must change nothing. */
  keep(id: string, message: Record<string, unknown>): Promise<void>;
}

export function createReceiver({ secret, privateKey, keep }: Receiver): Server {
  return createServer(async (request, response) => {
    const answer = (status: number) => response.writeHead(status).end();
    try {
      if (request.method !== 'POST') return answer(405);
      // The raw bytes: JSON that was parsed and written again would not match the signature.
      const body = await buffer(request);
      try {
        verify(secret, request.headers, body);
      } catch {
        return answer(401);
      }
      const message = openBody(body.toString('utf8'), privateKey);
      await keep(String(request.headers['webhook-id']), message);
      // Only now, since a message that was answered with 2xx is not sent again.
      answer(204);
    } catch (error) {
      console.error(error);
      // Redpen sends it again later.
      answer(500);
    }
  });
}
