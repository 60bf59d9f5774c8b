// `npm run example`: everything that the example needs, until Ctrl-C. With REDPEN_API_KEY and REDPEN_AUTH_TOKEN in the
// environment, it uses the service that they belong to, and otherwise it starts one.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { type DemoServer, startServer } from '../demo-server.ts';

async function main([folder]: string[]): Promise<void> {
  const interrupted = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done());
  });
  const env = { ...process.env };
  let redpen: DemoServer | undefined;
  if (!env.REDPEN_API_KEY) {
    console.log(`Starting Redpen on ${folder ?? 'a temporary data folder'} …`);
    env.REDPEN_API_KEY = 'example-app';
    env.REDPEN_AUTH_TOKEN = randomBytes(32).toString('hex');
    redpen = await startServer(
      {
        REDPEN_INIT_EMAIL: 'ada@saltmarsh.example',
        REDPEN_INIT_API_KEY: env.REDPEN_API_KEY,
        REDPEN_INIT_AUTH_TOKEN: env.REDPEN_AUTH_TOKEN,
        REDPEN_SIGNUP: 'closed',
      },
      folder && resolve(folder),
    );
    env.REDPEN_URL = redpen.url;
    console.log(`Redpen is at ${redpen.url}.`);
  }
  const useSources = new URL('use-sources.ts', import.meta.url).href;
  const backend = join(import.meta.dirname, 'server/main.ts');
  const app = spawn(process.execPath, ['--import', useSources, backend], { stdio: 'inherit', env });
  const ended = once(app, 'exit');
  try {
    await Promise.race([interrupted, ended, redpen?.died ?? interrupted]);
  } finally {
    app.kill();
    await ended;
    await redpen?.stop();
  }
  if (app.exitCode) process.exitCode = app.exitCode;
}

main(process.argv.slice(2)).then(
  () => process.exit(),
  (error: Error) => {
    console.error(`The example ended. ${error.message}`);
    process.exit(1);
  },
);
