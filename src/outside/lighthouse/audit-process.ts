// Program of the process that audits one page: Lighthouse cannot run two audits at once, and keeps measurements in
// memory. Task and answer are messages on the parent's IPC channel.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { DeviceType } from '../../shapes/agents/run.ts';
import { askedAddresses, browserHeaders } from '../net/sign-in.ts';
import type { LighthouseReport } from './lighthouse-report.ts';
import { type LighthouseResult, trimReport } from './trim-report.ts';

/** Timeout for the first paint. */
const FIRST_PAINT_MS = 15_000;

export interface AuditTask {
  url: string;
  categories: readonly string[];
  formFactor: DeviceType;
  /** WebSocket URL of the browser's driver port. */
  driverUrl: string;
  proxy: { username: string; password: string; greetingUrl: string };
  /** Headers and storage for these origins alone; the browser has the cookies already. */
  signIn?: {
    origins: string[];
    headers: Record<string, string>;
    storage: { origin: string; localStorage: { name: string; value: string }[] }[];
  };
  /** Origins whose certificates are not verified. */
  trustedOrigins: string[];
  timeoutMs: number;
}

export type AuditAnswer =
  | { report: LighthouseReport }
  /** `code` is Lighthouse's own, or `FAILED` after an exception. */
  | { failure: { code: string; message: string } };

/** The part that is used of Lighthouse's own driver, puppeteer-core. */
interface DriverPage {
  authenticate(credentials: { username: string; password: string } | null): Promise<void>;
  goto(url: string): Promise<unknown>;
  close(): Promise<void>;
  mainFrame(): unknown;
  on(event: 'response', heard: (response: DriverResponse) => void): void;
  on(event: 'requestfailed', heard: (request: DriverRequest) => void): void;
  createCDPSession(): Promise<DriverSession>;
}
interface DriverSession {
  send(method: string, params?: object): Promise<unknown>;
  on(event: string, heard: (params: Record<string, unknown>) => void): void;
  detach(): Promise<void>;
}
interface PausedRequest {
  requestId: string;
  request: { url: string; headers: Record<string, string> };
}
interface DriverRequest {
  isNavigationRequest(): boolean;
  frame(): unknown;
  url(): string;
  failure(): { errorText: string } | null;
}
interface DriverResponse {
  request(): DriverRequest;
  status(): number;
  headers(): Record<string, string>;
}
interface Driver {
  connect(options: object): Promise<{ newPage(): Promise<DriverPage> }>;
}

// The service may have died, and a page that hangs must not keep this process alive.
process.once('disconnect', () => process.exit());
const lighthouseEntry = createRequire(import.meta.url).resolve('lighthouse');
const driverEntry = createRequire(lighthouseEntry).resolve('puppeteer-core');
// Loading takes about as long as the browser's start, which happens meanwhile.
const loading = Promise.all([
  import('lighthouse'),
  import(pathToFileURL(driverEntry).href) as Promise<{ default: Driver }>,
]);
loading.catch(() => {});
process.once('message', async (task: AuditTask) => {
  const answer = await audit(task).catch(
    (error: Error): AuditAnswer => ({ failure: { code: 'FAILED', message: error.message } }),
  );
  process.send!(answer, () => process.exit());
});

async function audit(task: AuditTask): Promise<AuditAnswer> {
  const [{ default: lighthouse, desktopConfig }, { default: driver }] = await loading;
  const browser = await driver.connect({
    browserWSEndpoint: task.driverUrl,
    defaultViewport: null,
    protocolTimeout: task.timeoutMs,
  });
  // Authenticates at the proxy beforehand, since intercepting requests would distort the measurements.
  const greeter = await browser.newPage();
  await greeter.authenticate({ username: task.proxy.username, password: task.proxy.password });
  await greeter.goto(task.proxy.greetingUrl);
  await greeter.authenticate(null);
  for (const { origin, localStorage } of task.signIn?.storage ?? [])
    if (localStorage.length > 0) await putStorage(greeter, origin, localStorage);
  const page = await browser.newPage();
  await greeter.close();
  if (task.signIn) await signInRequests(page, task.signIn);
  if (task.trustedOrigins.length > 0) await acceptCertificates(page, task.trustedOrigins);

  const run = async (): Promise<AuditAnswer> => {
    const result = await lighthouse(
      task.url,
      {
        onlyCategories: [...task.categories],
        logLevel: 'silent',
        output: 'json',
        locale: 'en-US',
        maxWaitForFcp: FIRST_PAINT_MS,
      },
      task.formFactor === 'desktop' ? desktopConfig : undefined,
      page as never,
    );
    if (!result) throw new Error('Lighthouse gave no result.');
    const { runtimeError } = result.lhr;
    if (runtimeError) return { failure: { code: runtimeError.code, message: runtimeError.message } };
    return { report: trimReport(result.lhr as LighthouseResult, task.formFactor) };
  };
  return Promise.race([documentFailure(page), run()]);
}

/** Fills the local storage of an origin on an empty page in its name, so that nothing is requested. */
async function putStorage(
  page: DriverPage,
  origin: string,
  entries: { name: string; value: string }[],
): Promise<void> {
  const session = await page.createCDPSession();
  session.on('Fetch.requestPaused', ({ requestId }) => {
    const responseHeaders = [{ name: 'content-type', value: 'text/html' }];
    session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders }).catch(() => {});
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*` }] });
  await page.goto(`${origin}/`);
  const expression = `for (const { name, value } of ${JSON.stringify(entries)}) localStorage.setItem(name, value)`;
  await session.send('Runtime.evaluate', { expression });
  await session.send('Fetch.disable');
  await session.detach();
}

/**
 * Decides on the requests to the hosts of the site, each on its own, so that a redirect takes nothing to another origin.
 */
async function signInRequests(page: DriverPage, signIn: NonNullable<AuditTask['signIn']>): Promise<void> {
  const rules = { origins: new Set(signIn.origins), headers: signIn.headers };
  const session = await page.createCDPSession();
  session.on('Fetch.requestPaused', (paused) => {
    const { requestId, request } = paused as unknown as PausedRequest;
    const headers = browserHeaders(rules, request.url, request.headers);
    session.send('Fetch.continueRequest', { requestId, ...(headers && { headers }) }).catch(() => {});
  });
  const patterns = askedAddresses(rules).map((urlPattern) => ({ urlPattern }));
  await session.send('Fetch.enable', { patterns });
}

async function acceptCertificates(page: DriverPage, origins: string[]): Promise<void> {
  const session = await page.createCDPSession();
  session.on('Security.certificateError', ({ eventId, requestURL }) => {
    const action = origins.includes(new URL(String(requestURL)).origin) ? 'continue' : 'cancel';
    session.send('Security.handleCertificateError', { eventId, action }).catch(() => {});
  });
  await session.send('Security.enable');
  await session.send('Security.setOverrideCertificateErrors', { override: true });
}

/** Resolves as soon as there is no page to audit; Lighthouse itself would wait for its timeout. */
function documentFailure(page: DriverPage): Promise<AuditAnswer> {
  const { promise, resolve } = Promise.withResolvers<AuditAnswer>();
  let hasDocument = false;
  const isDocument = (request: DriverRequest) =>
    request.isNavigationRequest() && request.frame() === page.mainFrame() && /^https?:/.test(request.url());
  const fail = (code: string, message: string) => {
    if (!hasDocument) resolve({ failure: { code, message } });
  };
  page.on('response', (response) => {
    const status = response.status();
    if (!isDocument(response.request()) || (status >= 300 && status < 400)) return;
    if (status >= 400) fail('ERRORED_DOCUMENT_REQUEST', `(Status code: ${status})`);
    const type = response.headers()['content-type'] ?? 'text/html';
    if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type.trim())) fail('NOT_HTML', type);
    hasDocument = true;
  });
  page.on('requestfailed', (request) => {
    if (isDocument(request)) fail('FAILED_DOCUMENT_REQUEST', request.failure()?.errorText ?? '');
  });
  return promise;
}
