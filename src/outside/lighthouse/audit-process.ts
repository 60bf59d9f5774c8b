// The program that audits one page, in a process of its own: Lighthouse cannot do two at once in one, and keeps
// what it measured in memory. The task and the answer are messages of the parent's channel.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { LighthouseReport } from './lighthouse-report.ts';
import { type LighthouseResult, trimReport } from './trim-report.ts';

/** A page that shows nothing by then is given up. */
const FIRST_PAINT_MS = 15_000;

export interface AuditTask {
  url: string;
  categories: readonly string[];
  formFactor: DeviceType;
  /** Where the browser takes orders. */
  driverUrl: string;
  proxy: { username: string; password: string; greetingUrl: string };
  timeoutMs: number;
}

export type AuditAnswer =
  | { report: LighthouseReport }
  /** `code` is Lighthouse's own, or `FAILED` where it broke down. */
  | { failure: { code: string; message: string } };

/** As much as is used of the driver that Lighthouse brings along. */
interface DriverPage {
  authenticate(credentials: { username: string; password: string } | null): Promise<void>;
  goto(url: string): Promise<unknown>;
  close(): Promise<void>;
  mainFrame(): unknown;
  on(event: 'response', heard: (response: DriverResponse) => void): void;
  on(event: 'requestfailed', heard: (request: DriverRequest) => void): void;
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

// Whoever started this may be gone, and a page that hangs must not keep it.
process.once('disconnect', () => process.exit());
const lighthouseEntry = createRequire(import.meta.url).resolve('lighthouse');
const driverEntry = createRequire(lighthouseEntry).resolve('puppeteer-core');
// Loading takes about as long as the browser needs to start.
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
  // To intercept requests would disturb what is measured, and the browser remembers what the proxy was told.
  const greeter = await browser.newPage();
  await greeter.authenticate({ username: task.proxy.username, password: task.proxy.password });
  await greeter.goto(task.proxy.greetingUrl);
  await greeter.authenticate(null);
  const page = await browser.newPage();
  await greeter.close();

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

/** Comes to pass when there is no page to audit, for which Lighthouse waits until its patience is over. */
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
