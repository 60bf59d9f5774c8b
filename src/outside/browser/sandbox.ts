import { PageFailure } from './browser.ts';
import { LaunchFailure } from './launch-failure.ts';

/** Says if Chromium has to confine its processes, and if this system lets it. */
export interface Sandbox {
  isOn: boolean;
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
  return {
    isOn,
    async launch(start) {
      try {
        return await start(isOn);
      } catch (error) {
        if (!isOn || !WITHOUT_SANDBOX.test((error as Error).message)) throw error;
        throw new SandboxRefused(REFUSED, { cause: error });
      }
    },
  };
}

/** What a page's task ends with where its browser did not start. */
export const notStarted = (cause: unknown): PageFailure =>
  new PageFailure('crash', wordsOf(cause), { cause });

function wordsOf(cause: unknown): string {
  if (cause instanceof SandboxRefused) return cause.message;
  return cause instanceof LaunchFailure
    ? `The browser could not be started: ${cause.brief}.`
    : 'The browser could not be started.';
}
