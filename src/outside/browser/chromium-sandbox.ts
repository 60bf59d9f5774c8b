import { PageFailure } from './browser.ts';
import { LaunchFailure } from './launch-failure.ts';

/** Decides if Chromium runs with its sandbox, and recognizes a system that forbids it. */
export interface Sandbox {
  isOn: boolean;
  /** Starts Chromium; if the sandbox is on, never without it. Throws `SandboxRefused` if the system forbids it. */
  launch<T>(start: (chromiumSandbox: boolean) => Promise<T>): Promise<T>;
}

export class SandboxRefused extends Error {
  override name = 'SandboxRefused';
}

const REFUSED =
  'Chromium cannot start with its sandbox, which needs unprivileged user namespaces. ' +
  'The system may forbid them (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone or kernel.apparmor_restrict_unprivileged_userns), and so may the seccomp profile of a container. ' +
  'Allow them, or set REDPEN_BROWSER_SANDBOX=off to review pages without the sandbox.';

/** Output of Chromium without a usable sandbox, which Playwright appends to its message. */
const NO_USABLE_SANDBOX =
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
        if (!isOn || !NO_USABLE_SANDBOX.test((error as Error).message)) throw error;
        throw new SandboxRefused(REFUSED, { cause: error });
      }
    },
  };
}

/** Failure of a page whose browser did not start. */
export const browserNotStarted = (cause: unknown): PageFailure =>
  new PageFailure('crash', messageOf(cause), { cause });

function messageOf(cause: unknown): string {
  if (cause instanceof SandboxRefused) return cause.message;
  return cause instanceof LaunchFailure
    ? `The browser could not be started: ${cause.brief}.`
    : 'The browser could not be started.';
}
