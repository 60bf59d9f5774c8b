import { existsSync } from 'node:fs';

/** Files that Docker and Podman put into every container. */
const MARKS = ['/.dockerenv', '/run/.containerenv'];

interface Process {
  pid: number;
  env: Record<string, string | undefined>;
  stdout: { isTTY?: boolean };
}

/**
 * True if a person reads the output and no log keeps it. `docker run -t` gives a container a terminal, and Docker keeps what
 * is printed there.
 */
export const isWatched = (
  { pid, env, stdout }: Process,
  exists: (path: string) => boolean = existsSync,
): boolean =>
  stdout.isTTY === true &&
  pid !== 1 &&
  // Set by systemd-nspawn and LXC, and by Kubernetes.
  env.container === undefined &&
  env.KUBERNETES_SERVICE_HOST === undefined &&
  !MARKS.some((path) => exists(path));
