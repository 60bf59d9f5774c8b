import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cutText } from '../../lib/cut-text.ts';
import { PageFailure } from '../outside.ts';
import { LaunchFailure } from './launch-failure.ts';

/** Says if Chromium has to confine its processes, and if this system lets it. */
export interface Sandbox {
  isOn: boolean;
  /** Why no browser starts; undefined where the sandbox works, is off, or was not needed yet. */
  fault(): string | undefined;
  /** Starts Chromium with its sandbox or not at all. Throws SandboxRefused where the system forbids the sandbox. */
  launch<T>(start: (chromiumSandbox: boolean) => Promise<T>): Promise<T>;
}

export class SandboxRefused extends Error {
  override name = 'SandboxRefused';
}

const REFUSED =
  'Chromium cannot start with its sandbox, which needs unprivileged user namespaces. ' +
  'The system may forbid them (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone or kernel.apparmor_restrict_unprivileged_userns), and so may the seccomp profile of a container. ' +
  'Allow them, or set REDPEN_BROWSER_SANDBOX=off to review pages without the sandbox.';

/** What Chromium writes before it ends, which Playwright adds to its message. */
const WITHOUT_SANDBOX =
  /No usable sandbox|SUID sandbox helper|move to new namespace|zygote_host|without --no-sandbox/i;

export function createSandbox({
  setting,
  isRoot = process.getuid?.() === 0,
}: {
  setting: 'on' | 'off';
  isRoot?: boolean;
}): Sandbox {
  const isOn = setting === 'on' && !isRoot;
  let fault: string | undefined;
  return {
    isOn,
    fault: () => fault,
    async launch(start) {
      try {
        const launched = await start(isOn);
        fault = undefined;
        return launched;
      } catch (error) {
        if (!isOn || !WITHOUT_SANDBOX.test((error as Error).message)) throw error;
        fault = REFUSED;
        throw new SandboxRefused(REFUSED, { cause: error });
      }
    },
  };
}

/** Says in the log how Chromium is confined, unless all is well. `start` starts and ends a browser. */
export async function checkSandbox(
  sandbox: Sandbox,
  setting: 'on' | 'off',
  log: { warn(message: string): void; error(data: object, message: string): void },
  start: () => Promise<unknown>,
  isDoubtful = lacksUserNamespaces,
): Promise<void> {
  if (!sandbox.isOn) {
    log.warn(
      setting === 'off'
        ? 'Chromium runs without its sandbox, since REDPEN_BROWSER_SANDBOX is off'
        : 'Chromium runs without its sandbox, since the service runs as root; run it as an ordinary user',
    );
    return;
  }
  // A browser takes a second or two to start, so one is started only where there is reason for doubt.
  if (!(await isDoubtful())) return;
  await start().catch((error: Error) => {
    if (error instanceof SandboxRefused) log.error({ reason: causeOf(error) }, error.message);
  });
}

const lacksUserNamespaces = async (): Promise<boolean> =>
  process.platform === 'linux' &&
  (await promisify(execFile)('unshare', ['--user', 'true'], { timeout: 10_000 }).then(
    () => false,
    () => true,
  ));

const causeOf = ({ cause }: Error): string => cutText(cause instanceof Error ? cause.message : '', 500);

/** What a page's task ends with where its browser did not start. */
export const notStarted = (cause: unknown): PageFailure =>
  new PageFailure('crash', wordsOf(cause), { cause });

function wordsOf(cause: unknown): string {
  if (cause instanceof SandboxRefused) return cause.message;
  return cause instanceof LaunchFailure
    ? `The browser could not be started: ${cause.brief}.`
    : 'The browser could not be started.';
}
