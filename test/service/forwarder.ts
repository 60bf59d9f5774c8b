import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { atEnd } from '../run/at-end.ts';

export interface Forwarder {
  url: string;
  /** Breaks all connections, and refuses others, as if the service were down. */
  shut(): void;
  open(): void;
}

/** An address of a service under which it can be out of reach for a while. */
export async function forwardTo(serviceUrl: string): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const shut = () => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (!isOpen) return near.destroy();
    const far = connect(Number(new URL(serviceUrl).port), '127.0.0.1');
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
  atEnd(() => {
    server.close();
    shut();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut,
    open() {
      isOpen = true;
    },
  };
}
