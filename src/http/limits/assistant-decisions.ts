import type { FastifyReply } from 'fastify';
import type { Db } from '../../db/tables.ts';
import { invalidArgument } from '../../lib/errors.ts';
import { takeUses } from '../../store/platform/rate-counters.ts';
import type { KnownCaller } from '../request/known-caller.ts';
import { quotaExceeded } from './caller-buckets.ts';

/** So few that a person can follow what an assistant decides for them. */
const QUOTA = 20;
const WINDOW_MS = 60_000;

/**
 * Counts the decisions of a request of an assistant, per personal token, user or API key, in all processes. Throws
 * RESOURCE_EXHAUSTED, and counts nothing, if not all of them are left in the minute; INVALID_ARGUMENT if they never can be.
 */
export async function limitAssistantDecisions(
  db: Db,
  caller: KnownCaller,
  reply: FastifyReply,
  decisions: number,
): Promise<void> {
  if (decisions === 0) return;
  if (decisions > QUOTA)
    throw invalidArgument(
      `An assistant may decide on ${QUOTA} findings in a minute, and this request decides on ${decisions}: send fewer, or ask the person to decide.`,
    );
  const bucket = `assistant-decisions ${bucketOf(caller)}`;
  const { isGranted, left, resetMs } = await takeUses(db, bucket, {
    uses: decisions,
    quota: QUOTA,
    windowMs: WINDOW_MS,
    now: Date.now(),
  });
  if (isGranted) return;
  const resetSeconds = Math.max(1, Math.ceil(resetMs / 1_000));
  const fewer = left > 0 ? ` ${left} of them ${left === 1 ? 'is' : 'are'} left.` : '';
  throw quotaExceeded(
    reply,
    `An assistant may decide on ${QUOTA} findings in a minute: ask the person to decide on the rest, or go on in ${resetSeconds} seconds.${fewer}`,
    { quota: QUOTA, resetSeconds },
  );
}

function bucketOf({ apiKeyId, user, member, session }: KnownCaller): string {
  if (member) return JSON.stringify(['credential', member.credentialId]);
  if (user) return JSON.stringify(['user', apiKeyId, user.userId]);
  return JSON.stringify(['key', apiKeyId ?? session?.accountId]);
}
