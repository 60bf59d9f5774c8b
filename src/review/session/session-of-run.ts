import type { Keyring } from '../../lib/crypto.ts';
import { LeaseLost } from '../../lib/errors.ts';
import type { Outside } from '../../outside/outside.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import { type ArtifactRow, insertArtifacts } from '../../store/agents/artifacts.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';
import { openRunAuth, readPageAuth } from '../agents/page-auth-secrets.ts';
import type { SiteContext } from '../core/execution-strategy.ts';
import type { growingRedactor } from '../core/redact.ts';
import type { RunLease } from '../core/run-lease.ts';
import type { Run } from '../core/run-state.ts';
import { artifactStore } from '../core/store-artifact.ts';
import { SignInFailure } from './login-steps.ts';
import { originsOf } from './make-sign-in.ts';
import { createRunSession } from './run-session.ts';
import { signedInOutside } from './signed-in-outside.ts';

/** The behavior of a run's agent, with the credentials of the run in place of the agent's. */
export function withRunAuth(
  behavior: AgentBehavior,
  { request: { auth: stored }, apiKeyId, executionId }: ExecutionRow,
  keyring: Keyring,
): AgentBehavior {
  const ofRun = stored && openRunAuth(stored, keyring, { apiKeyId, executionId });
  const { auth: ofAgent, ...others } = behavior;
  const auth = ofRun ?? readPageAuth(ofAgent);
  return auth ? { ...others, auth } : behavior;
}

/** Equal for runs that see a site with the same credentials. The paths of steps are those of the site of the run. */
export function sessionKey({
  behavior,
  row: { seedUrl },
}: Pick<Run, 'behavior'> & { row: Pick<ExecutionRow, 'seedUrl'> }): string {
  const auth = readPageAuth(behavior.auth);
  const start = auth?.steps && new URL(seedUrl).origin;
  return auth ? JSON.stringify([start, [...originsOf(auth, seedUrl)], auth]) : '';
}

interface OpenedSession extends Pick<SiteContext, 'outside' | 'leadsToLogin' | 'signIn'> {}

/** The session of runs with the same credentials. Nothing is requested before the first of them signs in. */
export function openSession(
  { behavior, row }: Run,
  {
    outside,
    redactors,
    log,
    signal,
  }: { outside: Outside; redactors: readonly ReturnType<typeof growingRedactor>[] } & Pick<
    SiteContext,
    'log' | 'signal'
  >,
): OpenedSession {
  const auth = readPageAuth(behavior.auth);
  if (!auth) return { outside };
  const session = createRunSession({
    auth,
    seedUrl: row.seedUrl,
    outside,
    log,
    redact: redactors[0]!.redact,
    onSecrets: (values) => {
      for (const { learn } of redactors) learn(values);
    },
    signal,
  });
  return {
    outside: signedInOutside(outside, session),
    leadsToLogin: session.leadsToLogin,
    signIn: session.begin,
  };
}

/** Signs in for a run, if it has credentials, and keeps a picture of the step that failed. Throws `RunFault`. */
export async function signIn(
  run: Run,
  lease: RunLease,
  { signIn: begin, outside }: SiteContext,
): Promise<void> {
  await begin?.(run.row.seedUrl).catch(async (error: unknown) => {
    if (error instanceof SignInFailure)
      await keepPicture(error, run, lease, outside).catch((cause: unknown) => {
        if (cause instanceof LeaseLost) throw cause;
        // The caller needs the reason for which the step failed more than its picture.
        lease.log.add({ level: 'warn', message: 'The picture of the page could not be kept.' });
      });
    throw error;
  });
}

/** Keeps the picture of the page on which a step failed with the execution. */
async function keepPicture(
  { picture }: SignInFailure,
  run: Run,
  { db, ref, owner }: RunLease,
  { blobs }: Outside,
): Promise<void> {
  if (!picture) return;
  const rows: ArtifactRow[] = [];
  const store = artifactStore(run, run.row.seedUrl, blobs, rows);
  await store({ name: 'sign-in-failed.png', mimeType: 'image/png', bytes: picture });
  await db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    await insertArtifacts(tx, rows);
  });
}
