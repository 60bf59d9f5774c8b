import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser as Chromium } from 'playwright-core';
import { createEgressProxy, type EgressProxy } from '../net/egress-proxy.ts';
import { browserLaunches, browsersRunning } from '../net/outbound-metrics.ts';
import { type Guard, GuardRefusal } from '../net/ssrf-guard.ts';
import type { TrustsCertificate } from './browser-context.ts';
import { makeBrowserFolder, removeFolder } from './browser-folder.ts';
import { createSandbox, type Sandbox, SandboxRefused } from './chromium-sandbox.ts';
import { findChromium } from './find-chromium.ts';
import { LaunchFailure, launchFailureOf } from './launch-failure.ts';

export type Log = (message: string, data?: Record<string, unknown>) => void;

export interface Launched {
  browser: Chromium;
  /** WebSocket URL for a second driver; only with `forDriver`. */
  driverUrl?: string;
  proxy: EgressProxy;
  /** Undefined if the certificate of every host is verified. */
  trusts?: TrustsCertificate | undefined;
  /** Closes the browser and its proxy; kills the browser after a grace period. */
  end(): Promise<void>;
  /** Kills the browser immediately. */
  kill(): void;
}

export interface BrowserSettings {
  chromePath?: string | undefined;
  guard: Guard;
  log: Log;
  /** Default: on, except as root, where Chromium cannot use its sandbox. */
  sandbox?: Sandbox;
  /** Receives the outcome of every start: `LaunchFailure`, `SandboxRefused`, or undefined on success. */
  onOutcome?: ((failure: Error | undefined) => void) | undefined;
}

interface LaunchOptions extends BrowserSettings {
  forDriver?: boolean;
}

const START_MS = 30_000;
const PORT_POLL_MS = 20;
const GRACE_MS = 1500;
const RUNNER = fileURLToPath(new URL('run-chromium.sh', import.meta.url));

/**
 * Starts a browser whose only way to the network is an egress proxy of its own. `forDriver` opens a port on loopback
 * for a driver other than Playwright; pages cannot reach it.
 */
export async function launchBrowser(options: LaunchOptions): Promise<Launched> {
  try {
    const launched = await launchOne(options);
    options.onOutcome?.(undefined);
    return launched;
  } catch (error) {
    options.onOutcome?.(error as Error);
    throw error;
  }
}

async function launchOne(options: LaunchOptions): Promise<Launched> {
  const { log, guard, sandbox = createSandbox({ setting: 'on' }), forDriver = false } = options;
  // Loaded on demand: Playwright takes a tenth of the service's start.
  const [{ chromium }, found] = await Promise.all([
    import('playwright-core'),
    findChromium({ chromePath: options.chromePath }).catch((error: unknown) => {
      throw launchFailureOf(error, 'The bundled Chromium', options.chromePath);
    }),
  ]);
  let driverPort: number | undefined;
  const proxy = await createEgressProxy({
    guard: {
      dial: async (host, port, dialing) => {
        if (port === driverPort) throw new GuardRefusal('port');
        return await guard.dial(host, port, dialing);
      },
    },
    onDenied: (host, why) => log('The browser was denied a host.', { host, why }),
  });
  const folder = await makeBrowserFolder().catch(async (error: NodeJS.ErrnoException) => {
    await proxy.close();
    throw new LaunchFailure(
      `The temporary folder takes no files: ${error.message}.`,
      `the temporary folder takes no files (${error.code})`,
      { cause: error },
    );
  });

  const launch = (chromiumSandbox: boolean) =>
    chromium.launch({
      executablePath: RUNNER,
      args: [...networkArgs(proxy), ...(forDriver ? ['--remote-debugging-port=0'] : [])],
      artifactsDir: folder,
      chromiumSandbox,
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
      timeout: START_MS,
      env: {
        ...browserEnv(),
        ...found.env,
        REDPEN_CHROMIUM: found.path,
        REDPEN_BROWSER_FOLDER: folder,
        TMPDIR: folder,
      },
    });

  let started: Chromium | undefined;
  try {
    const browser = await sandbox.launch(launch);
    started = browser;
    browsersRunning.inc();
    browser.once('disconnected', () => browsersRunning.dec());
    const pid = await browserPid(browser);
    const driverUrl = forDriver ? await readDriverUrl(folder) : undefined;
    if (driverUrl) driverPort = Number(new URL(driverUrl).port);
    const ended = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
    let hasEnded = false;
    const kill = () => {
      // Process ids are reused, so a dead browser must not be killed again.
      if (hasEnded) return;
      try {
        process.kill(pid, 'SIGKILL');
      } catch {}
    };
    browser.once('disconnected', () => {
      kill();
      hasEnded = true;
      void proxy.close();
      void removeFolder(folder);
    });
    browserLaunches.inc({ outcome: 'started' });
    return {
      browser,
      proxy,
      trusts: guard.trustsCertificateOf,
      ...(driverUrl && { driverUrl }),
      kill,
      async end() {
        const timer = setTimeout(kill, GRACE_MS);
        // Closing also removes the profile, which takes longer than the browser's end.
        await Promise.race([browser.close().catch(() => {}), sleep(GRACE_MS + 1000)]);
        clearTimeout(timer);
        kill();
        await Promise.all([ended, proxy.close(), removeFolder(folder)]);
      },
    };
  } catch (error) {
    browserLaunches.inc({ outcome: 'failed' });
    await started?.close().catch(() => {});
    await Promise.all([proxy.close(), removeFolder(folder)]);
    throw error instanceof SandboxRefused ? error : launchFailureOf(error, found.path, options.chromePath);
  }
}

const networkArgs = (proxy: EgressProxy) => [
  `--proxy-server=http://127.0.0.1:${proxy.port}`,
  // Without it, Chromium bypasses the proxy for loopback.
  '--proxy-bypass-list=<-loopback>',
  // The proxy resolves names; without this, the browser's own services resolve some.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-domain-reliability',
  // A popup shares the process of its opener, so a loop of dialogs in it would block both.
  '--block-new-web-contents',
];

/**
 * Reads the driver's port and secret path, which Chromium writes into the profile that the runner has noted. A browser
 * answers Playwright earlier than that on a busy machine.
 */
export async function readDriverUrl(folder: string): Promise<string> {
  const [, profile = ''] = (await readFile(join(folder, 'runner'), 'utf8')).split('\n');
  const file = join(profile, 'DevToolsActivePort');
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return '';
    });
    const [port, path] = found.split('\n');
    if (port && path) return `ws://127.0.0.1:${port}${path}`;
    await sleep(PORT_POLL_MS);
  }
  throw new Error('Chromium has not written the port for its driver.');
}

/** Passes on only what a browser needs, since the environment holds secrets and may name a proxy. */
function browserEnv() {
  const env: Record<string, string> = {};
  for (const name of ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH', 'XDG_CACHE_HOME']) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Asks the browser for its process id, to kill it when it hangs; Playwright does not expose it. */
async function browserPid(browser: Chromium): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const main = processInfo.find((info) => info.type === 'browser');
  if (!main) throw new Error('The browser does not tell its process id.');
  return main.id;
}
