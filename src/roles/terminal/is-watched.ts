import { existsSync } from 'node:fs';

/** Files that Docker and Podman put into every container. */
const MARKS = ['/.dockerenv', '/run/.containerenv'];

interface Surroundings {
  pid: number;
  environment: Record<string, string | undefined>;
  exists: (path: string) => boolean;
}

const OWN: Surroundings = { pid: process.pid, environment: process.env, exists: existsSync };

/**
 * True if a person reads the output and no log keeps it. `docker run -t` gives a container a terminal, and Docker keeps what
 * is printed there.
 */
export const isWatched = (
  { isTTY }: { isTTY?: boolean },
  { pid, environment, exists }: Surroundings = OWN,
): boolean =>
  isTTY === true &&
  pid !== 1 &&
  // Set by systemd-nspawn and LXC, and by Kubernetes.
  environment.container === undefined &&
  environment.KUBERNETES_SERVICE_HOST === undefined &&
  !MARKS.some(exists);
