import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { atEnd } from '../../run/at-end.ts';
import { forwardTo } from '../../service/forwarder.ts';
import { ownTenant, type Tenant } from '../../service/own-tenant.ts';
import type { Service } from '../../service/service.ts';
import { sharedService } from '../../service/worker-service.ts';

export const PLACE = { organizationId: 'saltmarsh', documentId: 'last-of-the-flood' };

const START = join(import.meta.dirname, '../../../examples/app/start.ts');

export interface Example {
  process: ChildProcess;
  output(): string;
  /** The link that signs a user in. Both users get the same host, since each has a browser context of their own. */
  link(name: 'Ada' | 'Linus'): string;
  /** Presses Ctrl-C, and returns the exit code. */
  interrupt(): Promise<number | null>;
}

/** Starts the example as `npm run example` does, and waits for its links. It ends with the test or the file. */
export async function startExample(args: string[], env: Record<string, string>): Promise<Example> {
  const child = spawn(process.execPath, [START, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const find = (name: string) => new RegExp(`as ${name}: (http\\S+)\\n`).exec(output)?.[1];
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk.toString();
      if (find('Ada') && find('Linus')) resolve();
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.once('exit', (code) => reject(new Error(`The example ended with ${code}: ${output}`)));
  });
  const interrupt = async () => {
    if (child.exitCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    const [code] = (await ended) as [number | null];
    return code;
  };
  atEnd(interrupt);
  return {
    process: child,
    output: () => output,
    link: (name) => find(name)!.replace('//localhost:', '//127.0.0.1:'),
    interrupt,
  };
}

export interface ExampleStage {
  example: Example;
  tenant: Tenant;
  /** Calls an operation of the service. */
  post: Service['post'];
  /** Puts the service out of reach, as if it were down, and back. */
  shut(): void;
  open(): void;
}

/** Starts the example with a service that runs already, until the end of the file. */
export async function startStage(): Promise<ExampleStage> {
  const service = await sharedService();
  const way = await forwardTo(service.url);
  const tenant = await ownTenant(() => service);
  const example = await startExample([], {
    REDPEN_URL: way.url,
    REDPEN_API_KEY: tenant.headers['x-service-api-key']!,
    REDPEN_AUTH_TOKEN: tenant.headers['x-service-auth-token']!,
  });
  return { example, tenant, post: service.post, shut: way.shut, open: way.open };
}
