import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface RedisFake {
  port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Options {
  /** Answers HELLO with this error. */
  helloError?: (args: string[]) => string;
}

interface Client {
  id: number;
  socket: Socket;
  name: string;
  database: number;
  user: string | undefined;
  version: 2 | 3;
  channels: Set<string>;
}

interface User {
  password: string | undefined;
  refused: Set<string>;
}

/** A value of the RESP protocol. */
type Reply =
  | string
  | number
  | Buffer
  | Error
  | Reply[]
  | { ok: string }
  | { push: Reply[] }
  | { map: Reply[] };

const OK = { ok: 'OK' };

function encode(reply: Reply): Buffer {
  if (typeof reply === 'number') return Buffer.from(`:${reply}\r\n`);
  if (reply instanceof Error) return Buffer.from(`-${reply.message}\r\n`);
  if (Array.isArray(reply)) return encodeItems('*', reply.length, reply);
  if (typeof reply === 'string' || Buffer.isBuffer(reply)) {
    const bytes = Buffer.from(reply as string);
    return Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')]);
  }
  if ('push' in reply) return encodeItems('>', reply.push.length, reply.push);
  if ('map' in reply) return encodeItems('%', reply.map.length / 2, reply.map);
  return Buffer.from(`+${reply.ok}\r\n`);
}

const encodeItems = (mark: string, count: number, items: Reply[]): Buffer =>
  Buffer.concat([Buffer.from(`${mark}${count}\r\n`), ...items.map(encode)]);

/** Parses all complete commands and returns the remaining bytes. */
function readCommands(bytes: Buffer, onCommand: (args: Buffer[]) => void): Buffer {
  let rest = bytes;
  for (;;) {
    let at = 0;
    const line = () => {
      const end = rest.indexOf('\r\n', at);
      if (end < 0) return undefined;
      const text = rest.toString('latin1', at, end);
      at = end + 2;
      return text;
    };
    const count = line();
    if (count === undefined) return rest;
    const args: Buffer[] = [];
    while (args.length < Number(count.slice(1))) {
      const length = line();
      const end = at + Number(length?.slice(1)) + 2;
      if (length === undefined || end > rest.length) return rest;
      args.push(rest.subarray(at, end - 2));
      at = end;
    }
    rest = rest.subarray(at);
    onCommand(args);
  }
}

/** A fake Redis: publish/subscribe, users, and a few commands to inspect its clients. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the commands share the state of the fake.
export async function startRedisFake({ helloError }: Options = {}): Promise<RedisFake> {
  const clients = new Set<Client>();
  const users = new Map<string, User>([['default', { password: undefined, refused: new Set() }]]);
  let ids = 0;

  const addressOf = ({ socket }: Client) => `${socket.remoteAddress}:${socket.remotePort}`;
  const logIn = (client: Client, name: string, password: string | undefined): Error | undefined => {
    const user = users.get(name);
    if (!user || user.password !== password) {
      return new Error('WRONGPASS invalid username-password pair or user is disabled.');
    }
    client.user = name;
    return undefined;
  };
  const setUser = (name: string, rules: string[]) => {
    const user = users.get(name) ?? { password: undefined, refused: new Set() };
    for (const rule of rules) {
      if (rule.startsWith('>')) user.password = rule.slice(1);
      if (rule.startsWith('-')) user.refused.add(rule.slice(1).toUpperCase());
      if (rule.startsWith('+')) user.refused.delete(rule.slice(1).toUpperCase());
    }
    users.set(name, user);
    return OK;
  };
  const pushed = (client: Client, items: Reply[]) => (client.version === 3 ? { push: items } : items);

  const commands: Record<string, (client: Client, args: string[], raw: Buffer[]) => Reply> = {
    PING: () => ({ ok: 'PONG' }),
    QUIT: () => OK,
    SELECT: (client, [index]) => {
      if (Number(index) > 15) return new Error('ERR DB index is out of range');
      client.database = Number(index);
      return OK;
    },
    AUTH: (client, args) => logIn(client, args.length > 1 ? args[0]! : 'default', args.at(-1)) ?? OK,
    HELLO: (client, [version, ...options]) => {
      const auth = options.indexOf('AUTH');
      const failure = auth >= 0 && logIn(client, options[auth + 1]!, options[auth + 2]);
      if (failure) return failure;
      const setName = options.indexOf('SETNAME');
      if (setName >= 0) client.name = options[setName + 1]!;
      client.version = Number(version) === 3 ? 3 : 2;
      const properties = ['server', 'redis', 'version', '7.0.15', 'proto', client.version, 'id', client.id];
      return client.version === 3 ? { map: properties } : properties;
    },
    CLIENT: (client, [what, option, value]) => {
      if (what === 'LIST') {
        return [...clients]
          .map(
            (other) =>
              `id=${other.id} addr=${addressOf(other)} name=${other.name} db=${other.database} sub=${other.channels.size}\n`,
          )
          .join('');
      }
      if (what !== 'KILL') return OK;
      const killed = [...clients].filter(
        (other) => option === 'ADDR' && addressOf(other) === value && other !== client,
      );
      for (const { socket } of killed) socket.destroy();
      return killed.length;
    },
    ACL: (_client, [what, name, ...rules]) => {
      if (what === 'SETUSER') return setUser(name!, rules);
      return users.delete(name!) ? 1 : 0;
    },
    PUBLISH: (_client, [channel], [, message]) => {
      const subscribers = [...clients].filter(({ channels }) => channels.has(channel!));
      for (const subscriber of subscribers) {
        subscriber.socket.write(encode(pushed(subscriber, ['message', channel!, message!])));
      }
      return subscribers.length;
    },
  };
  for (const [name, change] of [
    ['subscribe', 'add'],
    ['unsubscribe', 'delete'],
  ] as const) {
    commands[name.toUpperCase()] = (client, channels) => {
      for (const channel of channels) {
        client.channels[change](channel);
        client.socket.write(encode(pushed(client, [name, channel, client.channels.size])));
      }
      return [];
    };
  }

  const answer = (client: Client, [name, ...raw]: Buffer[]) => {
    const args = raw.map(String);
    const word = name!.toString().toUpperCase();
    const command = commands[word];
    if (word === 'HELLO' && helloError) return new Error(helloError(args));
    if (client.user === undefined && !['HELLO', 'AUTH'].includes(word)) {
      return new Error('NOAUTH Authentication required.');
    }
    if (!command) return new Error(`ERR unknown command '${name}'`);
    if (users.get(client.user ?? '')?.refused.has(word)) {
      return new Error(`NOPERM this user has no permissions to run the '${word.toLowerCase()}' command`);
    }
    return command(client, args, raw);
  };

  const server = createServer((socket) => {
    ids += 1;
    const isOpen = users.get('default')?.password === undefined;
    const client: Client = {
      id: ids,
      socket,
      name: '',
      database: 0,
      user: isOpen ? 'default' : undefined,
      version: 2,
      channels: new Set(),
    };
    clients.add(client);
    let rest: Buffer = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('close', () => clients.delete(client));
    socket.on('data', (chunk) => {
      rest = readCommands(Buffer.concat([rest, chunk]), (command) => {
        const reply = answer(client, command);
        // SUBSCRIBE and UNSUBSCRIBE have already answered once per channel.
        if (!/^(un)?subscribe$/i.test(command[0]!.toString()) || reply instanceof Error) {
          socket.write(encode(reply));
        }
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const { socket } of clients) socket.destroy();
      await closed;
    },
  };
}
