import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Pool } from 'undici';
import { newKey, post } from './closed-loop.ts';
import { serve } from './webhook-service.ts';

export interface LiveTenant {
  name: string;
  /** Of the realtime server. */
  url: string;
  /** Of somebody who may edit the document `home` of `acme`. */
  token: string;
  pool: Pool;
  headers: Record<string, string>;
}

/** A service of ours with a document to edit. */
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

/** The process that listens at a URL. */
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
      // It has ended, or is somebody else's.
    }
  }
  throw new Error('No process listens there.');
}
