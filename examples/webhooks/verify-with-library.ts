import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** Does the same as `verify.ts`. */
export function verifyWithLibrary(secret: string, headers: IncomingHttpHeaders, body: Buffer): void {
  new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
}
