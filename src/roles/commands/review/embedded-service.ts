import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { endOf, keepOutput } from './child-output.ts';
import { fillFromTemplate } from './data-template.ts';
import type { Workplace } from './workplace.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const MAIN = join(ROOT, 'src/main.ts');
/** Compilation takes a large part of a start. */
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node');
/** As `npm start` has it. */
const V8_FLAGS = ['--max-semi-space-size=16'];

/** Where the service is, and who calls it. */
export interface Access {
  url: string;
  apiKey: string;
  authToken: string;
}

export interface EmbeddedService extends Access {
  /** Rejects with the last lines of the log if the service ends before its workplace is cleared. */
  died: Promise<never>;
}

/** The service ended, or did not start. The message has the last lines of its log. */
export class ServiceDied extends Error {
  override name = 'ServiceDied';
}

/** Settings that concern models and browsers; all others belong to another service. */
const KEPT_SETTINGS =
  /^REDPEN_(MODEL|MODELS|MODEL_\w+|RUN_TOKENS|BROWSER_SANDBOX|TRUST_CERTIFICATES|MAX_PAGES|EMBEDDINGS)$/;
const OTHER_SETTINGS = /^(REDPEN_\w*|DATABASE_URL|REDIS_URL|HOST|PORT|PG[A-Z]+|NODE_OPTIONS)$/;

/** The environment of the service: that of the command, without the settings of any other service. */
export const environmentFor = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => KEPT_SETTINGS.test(name) || !OTHER_SETTINGS.test(name)),
  );

interface ServiceOptions {
  environment: NodeJS.ProcessEnv;
  /** Entries of REDPEN_ALLOW_HOSTS. */
  allowHosts: readonly string[];
}

/** Starts the service as a child process on a free port of loopback, with an empty database of its own. */
export async function startEmbedded(workplace: Workplace, options: ServiceOptions): Promise<EmbeddedService> {
  const env = {
    NODE_COMPILE_CACHE,
    ...environmentFor(options.environment),
    TMPDIR: workplace.tempDir,
  };
  const template = await fillFromTemplate(workplace, env);
  try {
    return await startOnce(workplace, env, options.allowHosts);
  } catch (error) {
    const isOfDatabase = error instanceof ServiceDied && /\bdatabase\b/i.test(error.message);
    if (template === undefined || workplace.isCleared() || !isOfDatabase) throw error;
    // The disk may have lost parts of the template.
    rmSync(template, { recursive: true, force: true });
    rmSync(workplace.dataDir, { recursive: true, force: true });
    return await startOnce(workplace, env, options.allowHosts);
  }
}

async function startOnce(
  workplace: Workplace,
  env: NodeJS.ProcessEnv,
  allowHosts: readonly string[],
): Promise<EmbeddedService> {
  const apiKey = `review-${randomBytes(8).toString('hex')}`;
  const authToken = randomBytes(32).toString('hex');
  const service = await runService(workplace, {
    ...env,
    REDPEN_DATA_DIR: workplace.dataDir,
    REDPEN_SIGNUP: 'closed',
    REDPEN_PLAN: 'paid',
    REDPEN_INIT_EMAIL: 'review@redpen.invalid',
    REDPEN_INIT_API_KEY: apiKey,
    REDPEN_INIT_AUTH_TOKEN: authToken,
    REDPEN_ALLOW_HOSTS: allowHosts.join(','),
  });
  return { ...service, apiKey, authToken };
}

interface RunningService {
  url: string;
  child: ChildProcess;
  /** Rejects with the last lines of the log if the service ends before its workplace is cleared. */
  died: Promise<never>;
}

/**
 * Runs the service as a child process on a free port of loopback, without the console and live documents, and waits until
 * it serves. Throws ServiceDied with the last lines of its log.
 */
export async function runService(
  workplace: Workplace,
  env: NodeJS.ProcessEnv,
  onLine: (line: string) => void = () => {},
): Promise<RunningService> {
  const child = workplace.run(MAIN, {
    flags: V8_FLAGS,
    env: {
      NODE_COMPILE_CACHE,
      ...env,
      TMPDIR: workplace.tempDir,
      HOST: '127.0.0.1',
      PORT: '0',
      REDPEN_ROLES: 'api,worker',
      REDPEN_CONSOLE: 'off',
      REDPEN_LOG: 'json',
      REDPEN_LOG_LEVEL: 'info',
    },
  });
  const ready = Promise.withResolvers<string>();
  const output = keepOutput(child, (line) => {
    const url = /"url":"(http:[^"]+)".*"msg":"ready"/.exec(line)?.[1];
    if (url !== undefined) ready.resolve(url);
    onLine(line);
  });
  const died = endOf(child, output).then(({ failure }): Promise<never> => {
    if (workplace.isCleared()) return new Promise(() => {});
    throw new ServiceDied(failure ?? 'it ended by itself');
  });
  died.catch(() => {});
  const url = await Promise.race([ready.promise, died]);
  return { url, child, died };
}

/** Host and port of each address, exactly as allowed for the service: no other internal host may be visited. */
export const allowedHostsOf = (urls: readonly string[]): string[] =>
  [
    ...new Set(
      urls.map((address) => {
        const { hostname, port, protocol } = new URL(address);
        return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
      }),
    ),
    // It would count as two hosts.
  ].filter((host) => !host.includes(','));
