import type { Redpen, User } from '@redpen/client';
import type { DecisionStep, Refusals } from './decisions.ts';

/** Most findings that a request may name. */
const MOST = 100;

/** Sends a decision. With a token the user decides; otherwise the person is named. */
export async function sendDecision(
  client: Redpen,
  user: User | undefined,
  { ids, decision, reason }: DecisionStep,
  isLeaving: boolean,
): Promise<Refusals> {
  const refusals = new Map<string, string>();
  const actionUser = client.connection.tokens ? undefined : user && personOf(user);
  for (let at = 0; at < ids.length; at += MOST) {
    const findingIds = ids.slice(at, at + MOST);
    const data = { findingIds, decision, ...(reason && { reason }), ...(actionUser && { actionUser }) };
    if (isLeaving) {
      await sendWhileLeaving(client, data);
      continue;
    }
    const results = await client.findings.decide(data);
    for (const [id, { success, message }] of Object.entries(results)) if (!success) refusals.set(id, message);
  }
  return refusals;
}

const personOf = ({ userId, name, email }: User) => ({
  userId,
  ...(name && { name }),
  ...(email && { email }),
});

/** The request outlives the page. */
async function sendWhileLeaving(client: Redpen, data: object): Promise<void> {
  await client.connection.request('/v2/agents/findings/decide', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
    keepalive: true,
  });
}
