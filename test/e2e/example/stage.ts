import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { ownDatabase } from '../own-database.ts';
import { ownTenant, type Tenant } from '../own-tenant.ts';
import { type Service, startService } from '../service.ts';

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

/** Starts the example as `npm run example` does, and waits for its links. */
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
  return {
    process: child,
    output: () => output,
    link: (name) => find(name)!.replace('//localhost:', '//127.0.0.1:'),
    async interrupt() {
      if (child.exitCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

interface Forwarder {
  url: string;
  /** Where connections are forwarded to. Without it, they are refused, as if the service were down. */
  to: string | undefined;
  close(): void;
}

/** An address that stays the same while the service behind it is killed and started on another port. */
async function forward(to: string): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  const forwarder: Forwarder = {
    url: '',
    to,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  const server = createServer((near) => {
    if (forwarder.to === undefined) return near.destroy();
    const far = connect(Number(new URL(forwarder.to).port), '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  forwarder.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return forwarder;
}

export interface ExampleStage {
  example: Example;
  tenant: Tenant;
  /** Calls an operation of the service. */
  post: Service['post'];
  /** Ends the service at once; until it is started again, it cannot be reached. */
  killService(): Promise<void>;
  restartService(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the example with a service that runs already. */
export async function startStage(): Promise<ExampleStage> {
  const cleanUp: (() => Promise<unknown> | unknown)[] = [];
  const { env } = await ownDatabase(cleanUp);
  let service = await startService(env);
  cleanUp.push(() => service.kill('SIGKILL'));
  const redpen = await forward(service.url);
  cleanUp.push(redpen.close);
  const tenant = await ownTenant(() => service);
  const example = await startExample([], {
    REDPEN_URL: redpen.url,
    REDPEN_API_KEY: tenant.headers['x-service-api-key']!,
    REDPEN_AUTH_TOKEN: tenant.headers['x-service-auth-token']!,
  });
  cleanUp.push(example.interrupt);
  return {
    example,
    tenant,
    post: (...request) => service.post(...request),
    async killService() {
      redpen.to = undefined;
      await service.kill('SIGKILL');
    },
    async restartService() {
      service = await startService(env);
      redpen.to = service.url;
    },
    async close() {
      for (const step of cleanUp.reverse()) await step();
    },
  };
}
