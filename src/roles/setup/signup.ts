import type { Logger } from 'pino';
import type { Config } from '../../config.ts';

/** Says in the log where everyone who reaches the service from other machines may create workspaces. */
export function warnOfOpenSignup(config: Config, log: Logger): void {
  const { HOST: host, REDPEN_PUBLIC_URL: publicUrl } = config;
  const isReached =
    !isLoopback(host) || (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname));
  if (config.REDPEN_SIGNUP !== 'open' || !config.REDPEN_ROLES.includes('api') || !isReached) return;
  log.warn(
    { host, publicUrl },
    'everyone who reaches this service can create workspaces; REDPEN_SIGNUP=closed or first changes that',
  );
}

const isLoopback = (host: string): boolean => /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(host);
