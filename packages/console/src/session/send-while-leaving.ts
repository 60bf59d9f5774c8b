import type { Operations, Redpen } from '@redpen/client';

/** Sends a request that the browser finishes although the page is gone, so that a person who leaves loses nothing. */
export async function sendWhileLeaving<P extends keyof Operations>(
  redpen: Redpen,
  path: P,
  data: Operations[P]['data'],
): Promise<Operations[P]['result']> {
  const response = await redpen.connection.request(path, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  return (await response.json()).result.data;
}
