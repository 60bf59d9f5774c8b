import { createClient } from '@redis/client';
import { onTestFinished } from 'vitest';
import type { Bus } from '../../src/lib/bus/bus.ts';
import { randomId } from '../../src/lib/ids.ts';
import { openRedisBus } from '../../src/outside/redis/redis-bus.ts';
import { startTunnel, type Tunnel } from '../fakes/tunnel.ts';

type Options = Partial<Parameters<typeof openRedisBus>[0]>;

export interface OpenedBus extends Bus {
  errors: Error[];
  gaps(): number;
}

export interface RedisStage {
  tunnel: Tunnel;
  /** A second tunnel. */
  other: Tunnel;
  /** URL of Redis through a tunnel. */
  urlOver(tunnel: Tunnel, path?: string, user?: string): string;
  /** Opens a bus as a separate process would, by default over `tunnel`; it is closed when the test ends. */
  open(options?: Options): Promise<OpenedBus>;
  /** Sends a command to Redis directly, without a tunnel. */
  command(...args: string[]): Promise<unknown>;
  /** Creates or changes a user, which is deleted when the test ends. */
  setUser(name: string, password: string, ...rules: string[]): Promise<void>;
  /** Lines of `CLIENT LIST` for the connections that came through a tunnel. */
  connections(tunnel?: Tunnel): Promise<string[]>;
}

/** Opens buses over the Redis of REDPEN_TEST_REDIS_URL, through tunnels that a test can break. */
export async function startRedisStage(): Promise<RedisStage> {
  const direct = process.env.REDPEN_TEST_REDIS_URL;
  if (!direct) throw new Error('REDPEN_TEST_REDIS_URL is not set.');
  const { hostname, port, username, password } = new URL(direct);
  const target = { host: hostname, port: Number(port || 6379) };
  const [tunnel, other] = [await startTunnel(target), await startTunnel(target)];
  const admin = createClient({ url: direct, maintNotifications: 'disabled' });
  admin.on('error', () => {});
  await admin.connect();
  // All tests share one Redis, so each test uses its own channels.
  const prefix = `test-${randomId(12)}`;
  const opened: Bus[] = [];
  const users = new Set<string>();
  onTestFinished(async () => {
    for (const bus of opened) await bus.close();
    for (const user of users) await admin.sendCommand(['ACL', 'DELUSER', user]);
    admin.destroy();
    await tunnel[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const own = password === '' ? '' : `${username}:${password}@`;
  const urlOver = (over: Tunnel, path = '', user = own) => `redis://${user}127.0.0.1:${over.port}${path}`;
  const command = (...args: string[]) => admin.sendCommand(args);
  return {
    tunnel,
    other,
    urlOver,
    async open(options = {}) {
      const errors: Error[] = [];
      let gaps = 0;
      const bus = await openRedisBus({
        url: urlOver(tunnel),
        prefix,
        onError: (error) => errors.push(error),
        ...options,
      });
      opened.push(bus);
      bus.onGap(() => {
        gaps += 1;
      });
      return { ...bus, errors, gaps: () => gaps };
    },
    command,
    async setUser(name, password, ...rules) {
      users.add(name);
      await command('ACL', 'SETUSER', name, 'on', `>${password}`, '~*', '&*', '+@all', ...rules);
    },
    async connections(over = tunnel) {
      const list = String(await command('CLIENT', 'LIST'));
      return list
        .split('\n')
        .filter((line) => over.addresses().some((address) => line.includes(` addr=${address} `)));
    },
  };
}
