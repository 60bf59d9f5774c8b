import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** Does what `verify.ts` does. */
export function verifyWithLibrary(secret: string, headers: IncomingHttpHeaders, body: Buffer): void {
  new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
}
