import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** Self-signed certificate for 127.0.0.1 and localhost, only for tests. */
export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUPuhan+x3kImcjjlw/P1uuaJBymAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA3NDEzNFoYDzIxMjYxMDI4
MDc0MTM0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR+QEN8SHyuqlV1WX1UBaoerQyW3cOQTFUMyLSNjAidJzmjg/+8MEPr
XlpHd8r1ZUJyaOBj4zTXfYwzOSbdIp6io28wbTAdBgNVHQ4EFgQUFmXKyxgFdqEu
Wz3UQFcCdkTMtfAwHwYDVR0jBBgwFoAUFmXKyxgFdqEuWz3UQFcCdkTMtfAwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAJG80mjm4XhJIPVZgbBxyNJ1LOu86qFfkfQo4Nx6cklVAiBO
aFsWSdDf/FDoQCabZHNJGsq7tILZOqt3uaX6LgfUUA==
-----END CERTIFICATE-----`;
export const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgswTBrZ5vbsBz3quB
7aZetP9QsSw5H99YiTLtIzGuTrihRANCAAR+QEN8SHyuqlV1WX1UBaoerQyW3cOQ
TFUMyLSNjAidJzmjg/+8MEPrXlpHd8r1ZUJyaOBj4zTXfYwzOSbdIp6i
-----END PRIVATE KEY-----`;

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The received message with its headers. */
  raw: string;
  secure: boolean;
  user: string | undefined;
}

export interface SmtpFake {
  port: number;
  received: ReceivedMail[];
  /** Number of open connections. */
  connections(): number;
  /** Destroys all connections immediately. */
  dropConnections(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Behavior extends SMTPServerOptions {
  /** Refuses a recipient with the returned SMTP status, such as 451. Called for every recipient of a message. */
  refuse?: (recipient: string, tries: number) => number | undefined;
  /** Called instead of accepting a message; the client waits until this calls `answer`, which it may never do. */
  hold?: (answer: () => void, fake: SmtpFake) => void;
}

/** A real SMTP server on loopback that keeps all messages. */
export async function startSmtpFake({ refuse, hold, ...options }: Behavior = {}): Promise<SmtpFake> {
  const received: ReceivedMail[] = [];
  const tries = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    cert: TEST_CERTIFICATE,
    key: TEST_KEY,
    logger: false,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      const count = (tries.get(address) ?? 0) + 1;
      tries.set(address, count);
      const code = refuse?.(address, count);
      done(
        code === undefined ? null : Object.assign(new Error('Refused by the test'), { responseCode: code }),
      );
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const accept = () => {
          received.push({
            from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
            to: session.envelope.rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString('utf8'),
            secure: session.secure,
            user: session.user as string | undefined,
          });
          done();
        };
        if (hold) hold(accept, fake);
        else accept();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: SmtpFake = {
    port: (server.server.address() as AddressInfo).port,
    received,
    connections: () => server.connections.size,
    dropConnections() {
      for (const connection of server.connections) connection._socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      fake.dropConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return fake;
}
