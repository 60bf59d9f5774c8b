import { version } from '../lib/version.ts';
import { reachable } from './setup/service-address.ts';

/** Greeting for people at a terminal once the service is ready. */
export function printGreeting({
  url,
  publicUrl,
  serves,
  hasWorkspace,
}: {
  /** Where this process listens; undefined where it does not. */
  url: string | undefined;
  /** Where callers reach the service, if that is known. */
  publicUrl: string | undefined;
  serves: readonly string[];
  hasWorkspace: boolean;
}): string {
  const address = (publicUrl ?? (url && reachable(url)))?.replace(/\/+$/, '');
  const lines = [
    address === undefined
      ? `Redpen ${version} is ready, as ${serves.join(' and ')}`
      : `Redpen ${version} is ready at ${address}`,
    ...(address !== undefined && serves.includes('api') ? [`  Reference  ${address}/docs`] : []),
    hasWorkspace
      ? '  Commands   npm run redpen -- --help'
      : '  Next step  npm run redpen -- workspace create you@example.com',
  ];
  return `\n${lines.join('\n')}\n\n`;
}
