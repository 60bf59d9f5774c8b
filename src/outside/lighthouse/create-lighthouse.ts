import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cutText } from '../../lib/text/cut-text.ts';
import { lowerPriority } from '../../lib/threads/low-priority.ts';
import { createSemaphore } from '../../lib/threads/semaphore.ts';
import { PageFailure } from '../browser/browser.ts';
import { browserNotStarted } from '../browser/chromium-sandbox.ts';
import { type BrowserSettings, type Launched, type Log, launchBrowser } from '../browser/launch-browser.ts';
import { pageNotLoaded, reasonAt, refusedHost } from '../browser/load-page.ts';
import { pageAborted } from '../browser/page-visit.ts';
import type { SignIn } from '../net/sign-in.ts';
import type { AuditAnswer, AuditTask } from './audit-process.ts';
import { type Lighthouse, lighthouseCategories } from './lighthouse-report.ts';

const DEFAULT_TIMEOUT_MS = 90_000;
const HEAP_MB = 1024;
const PROGRAM = fileURLToPath(new URL('audit-process.ts', import.meta.url));

/**
 * Runs audits one after the other, since concurrent work would distort their measurements. Each has its own browser
 * and process, which end with it.
 */
export function createLighthouse(settings: BrowserSettings): Lighthouse {
  const slots = createSemaphore(1);

  return async (
    url,
    { categories = lighthouseCategories, formFactor, signIn, signal, timeoutMs = DEFAULT_TIMEOUT_MS },
  ) => {
    if (settings.guard.checkUrl(url)) throw refusedHost();
    const release = await slots.acquire(signal).catch((cause) => {
      throw pageAborted(cause);
    });
    const limit = AbortSignal.timeout(timeoutMs);
    const stop = signal ? AbortSignal.any([signal, limit]) : limit;
    const stopped = () => (signal?.aborted ? pageAborted(signal.reason) : tooLong());
    const denied: unknown[] = [];
    const log: Log = (message, data) => {
      if (data?.host !== undefined) denied.push(data.host);
      settings.log(message, data);
    };
    let browser: Launched | undefined;
    const audit = startAudit(stop);
    try {
      browser = await launchBrowser({ ...settings, log, forDriver: true }).catch((cause) => {
        throw browserNotStarted(cause);
      });
      if (stop.aborted) throw stopped();
      if (signIn) await putCookies(browser, signIn);
      const { username, password, greetingUrl } = browser.proxy;
      const answer = await audit.run({
        url,
        categories,
        formFactor,
        driverUrl: browser.driverUrl!,
        proxy: { username, password, greetingUrl },
        ...(signIn && { signIn: signInOfTask(signIn) }),
        trustedOrigins: [new URL(url).origin, ...(signIn?.origins ?? [])].filter(
          (origin) => browser?.trusts?.(origin) === true,
        ),
        timeoutMs,
      });
      if (stop.aborted) throw stopped();
      if ('report' in answer) return answer.report;
      // Refused hosts matter only if the page itself did not load.
      if (denied.length > 0) throw refusedHost();
      throw failureOf(answer.failure, reasonAt(browser.proxy, url));
    } finally {
      audit.kill();
      if (stop.aborted) browser?.kill();
      await browser?.end();
      release();
    }
  };
}

/** Puts cookies into the context in which audits are made. */
async function putCookies({ browser }: Launched, { cookies }: SignIn): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  await session.send('Storage.setCookies', {
    cookies: cookies.map(({ host, expires, ...cookie }) => ({
      ...cookie,
      domain: host,
      ...(expires >= 0 && { expires }),
    })),
  });
  await session.detach();
}

const signInOfTask = ({ origins, headers, storage }: SignIn): NonNullable<AuditTask['signIn']> => ({
  origins: [...origins],
  headers: { ...headers },
  storage: storage.map(({ origin, localStorage }) => ({ origin, localStorage })),
});

/** Starts the process of one audit, which loads its program while the browser starts. */
function startAudit(stop: AbortSignal) {
  const child = fork(PROGRAM, [], {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // The environment contains secrets, and the program needs none of it.
    env: {},
    cwd: '/',
    killSignal: 'SIGKILL',
    signal: stop,
  });
  lowerPriority(child.pid);
  const { promise, resolve } = Promise.withResolvers<AuditAnswer>();
  let answer: AuditAnswer = { failure: { code: 'FAILED', message: 'The process ended without a result.' } };
  child.on('message', (message) => {
    answer = message as AuditAnswer;
  });
  // After a failed start, no exit event follows.
  child.on('error', () => {
    if (child.pid === undefined) resolve(answer);
  });
  child.on('exit', () => resolve(answer));
  return {
    kill: () => child.kill('SIGKILL'),
    /** Resolves when the process has exited. */
    run(task: AuditTask): Promise<AuditAnswer> {
      child.send(task, () => {});
      return promise;
    },
  };
}

const tooLong = () => new PageFailure('timeout', 'The audit took too long.');

/** Translates Lighthouse's error codes. */
function failureOf(
  { code, message }: { code: string; message: string },
  reason: string | undefined,
): PageFailure {
  const cause = new Error(`${code}: ${message}`);
  const status = /Status code: (\d{3})/.exec(message)?.[1];
  if (status && status !== '502') {
    return new PageFailure('navigation', `The page answered with HTTP ${status}.`, { cause });
  }
  switch (code) {
    case 'PAGE_HUNG':
    case 'PROTOCOL_TIMEOUT':
    case 'CRI_TIMEOUT':
      return new PageFailure('timeout', 'The page stopped responding, so it could not be audited.', {
        cause,
      });
    case 'TARGET_CRASHED':
      return new PageFailure('crash', 'The page crashed while it was audited.', { cause });
    case 'NOT_HTML':
      return new PageFailure('download', 'The address returns a file, not a page.', { cause });
    case 'NO_FCP':
      return new PageFailure('navigation', 'The page shows nothing, so it could not be audited.', { cause });
    case 'FAILED_DOCUMENT_REQUEST':
    case 'ERRORED_DOCUMENT_REQUEST':
    case 'DNS_FAILURE':
    case 'INSECURE_DOCUMENT_REQUEST':
    case 'CHROME_INTERSTITIAL_ERROR':
    case 'NO_DOCUMENT_REQUEST':
      return pageNotLoaded(reason, cause);
    default:
      return new PageFailure('crash', `The audit failed (${cutText(code, 60)}).`, { cause });
  }
}
