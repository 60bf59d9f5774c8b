import { createClient } from '@redpen/client';
import type { User } from './sessions.ts';

const { REDPEN_URL, REDPEN_API_KEY, REDPEN_AUTH_TOKEN } = process.env;
if (!REDPEN_API_KEY || !REDPEN_AUTH_TOKEN) {
  console.error('Set REDPEN_API_KEY and REDPEN_AUTH_TOKEN, or run "npm run example", which needs neither.');
  process.exit(1);
}

export const redpenUrl = new URL(REDPEN_URL ?? 'http://127.0.0.1:8080').origin;

/** An API key may do everything, so it stays in this process. */
export const redpen = createClient({
  baseUrl: redpenUrl,
  apiKey: REDPEN_API_KEY,
  authToken: REDPEN_AUTH_TOKEN,
});

/** The document of the page. An application with many documents has one for each page, for example by its path. */
export const place = { organizationId: 'saltmarsh', documentId: 'last-of-the-flood' };

/** A token for one user, one document, and pages of one origin: what the page needs, and no more. */
export async function tokenOf(user: User, origin: string): Promise<string> {
  const { token } = await redpen.auth.generateToken({
    userId: user.id,
    userProperties: { name: user.name, email: user.email },
    origin,
    permissions: {
      resources: [
        {
          type: 'document',
          id: place.documentId,
          organizationId: place.organizationId,
          accessRole: 'editor',
        },
      ],
    },
  });
  return token;
}
