import { createClient } from '@redpen/client';
import { byId } from './dom.ts';

interface Session {
  user: { id: string; name: string };
  redpenUrl: string;
  place: { organizationId: string; documentId: string };
}

const LONGEST_WAIT_MS = 5_000;

const answer = await fetch('/session');
if (!answer.ok) {
  // The session has ended since the page was sent. The server says so.
  location.reload();
  await new Promise(() => {});
}
const session = (await answer.json()) as Session;

export const me = { userId: session.user.id, name: session.user.name };

export const { place } = session;

export const redpen = createClient({ baseUrl: session.redpenUrl, getUserToken });

/** What the page shows. Each connects when it is subscribed to, and all share one stream of events. */
export const threads = redpen.live.threads(place);
export const notifications = redpen.live.notifications({ organizationId: place.organizationId });
export const presence = redpen.live.presence(place);

/**
 * The client keeps the token, and asks for the next one in time. While the server is restarted, the network is down, or
 * the user is signed out, the page keeps what was written and waits.
 */
async function getUserToken(): Promise<string> {
  for (let waitMs = 500; ; waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs)) {
    const answer = await fetch('/redpen-token', { method: 'POST' }).catch(() => undefined);
    byId('signed-out').textContent =
      answer?.status === 401 ? 'You are signed out. Sign in in another tab, and this page goes on.' : '';
    if (answer?.ok) return await answer.text();
    if (answer && answer.status < 500 && answer.status !== 401) throw new Error(await answer.text());
    await new Promise((done) => setTimeout(done, waitMs));
  }
}
