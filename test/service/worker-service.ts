import { newDatabase } from '../database/new-database.ts';
import { atEnd, atWorkerEnd } from '../run/at-end.ts';
import { ownDatabase } from './own-database.ts';
import { type Service, startService } from './service.ts';

/** So high that only tests of the limits themselves reach one. */
const UNLIMITED = '1000000';

const SETTINGS = {
  REDPEN_ALLOW_HOSTS: '127.0.0.1,localhost',
  REDPEN_KEY_RATE: UNLIMITED,
  REDPEN_ADDRESS_RATE: UNLIMITED,
  REDPEN_CONNECTION_RATE: UNLIMITED,
  REDPEN_REQUESTS_AT_ONCE: UNLIMITED,
  REDPEN_DISK_RESERVE: '0',
};

export interface SharedService extends Service {
  databaseUrl: string;
}

/** An idle service takes a fiftieth of a processor, so it ends if no file needs it for this long. */
const IDLE_MS = 10_000;

let running: Promise<SharedService> | undefined;
/** Tests and files that use it. */
let users = 0;
let idle: NodeJS.Timeout | undefined;
/** What ends it. */
const steps: (() => Promise<unknown> | unknown)[] = [];

/**
 * The real service, as a process beside this one, which the test files of a worker share: each has a workspace of its own, and
 * may not end it. The running test holds it, or, outside of a test, its file.
 */
export function sharedService(): Promise<SharedService> {
  clearTimeout(idle);
  users += 1;
  atEnd(() => {
    users -= 1;
    if (users === 0) idle = setTimeout(() => void end().catch(() => {}), IDLE_MS).unref();
  });
  running ??= start().catch((error: unknown) => {
    running = undefined;
    throw error;
  });
  return running;
}

async function start(): Promise<SharedService> {
  // The run drops its databases.
  const { url: databaseUrl } = await newDatabase();
  const service = await startService(
    { ...SETTINGS, DATABASE_URL: databaseUrl },
    { cleanUp: (step) => steps.push(step) },
  );
  atWorkerEnd(end);
  return Object.assign(service, { databaseUrl });
}

async function end(): Promise<void> {
  running = undefined;
  for (const step of steps.splice(0).reverse()) await step();
}

/** A service with a database of its own, for a test that kills it, or needs other settings. */
export async function ownService(settings: Record<string, string> = {}): Promise<SharedService> {
  const { env, databaseUrl } = await ownDatabase();
  const service = await startService({ REDPEN_ALLOW_HOSTS: '127.0.0.1,localhost', ...env, ...settings });
  return Object.assign(service, { databaseUrl });
}
