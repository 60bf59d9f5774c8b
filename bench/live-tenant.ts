import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Pool } from 'undici';
import { newKey, post } from './closed-loop.ts';
import { serve } from './webhook-service.ts';

export interface LiveTenant {
  name: string;
  /** The realtime endpoint, with the scheme `http`. */
  url: string;
  /** User token with permission to edit the document `home` of `acme`. */
  token: string;
  pool: Pool;
  headers: Record<string, string>;
}

/** Starts Redpen with the document `home` of `acme`. */
export async function liveTenant(name: string, databaseUrl: string | undefined): Promise<LiveTenant> {
  const { url } = await serve(databaseUrl);
  const pool = new Pool(url, { connections: 32 });
  const { headers } = await newKey(pool);
  const documents = { organizationId: 'acme', documents: [{ documentId: 'home' }] };
  await post(pool, '/v2/organizations/documents/add', documents, headers);
  const user = {
    userId: 'ada',
    userProperties: { name: 'Ada', email: 'ada@example.com' },
    permissions: { resources: [{ type: 'organization', id: 'acme' }] },
  };
  const { token } = await post(pool, '/v2/auth/generate_token', user, headers);
  return { name, url: `${url}/v2/realtime`, token, pool, headers };
}

/** PID of the process that listens at a local URL. */
export function pidAt(url: string): string {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const inode = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find((fields) => fields[1]?.endsWith(`:${port}`) && fields[3] === '0A')?.[9];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const files = readdirSync(`/proc/${pid}/fd`);
      if (files.some((file) => readlinkSync(`/proc/${pid}/fd/${file}`) === `socket:[${inode}]`)) return pid;
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
  throw new Error(`No process listens at ${url}.`);
}
