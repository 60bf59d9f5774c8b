import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lowerPriority } from '../../lib/threads/low-priority.ts';
import { SandboxRefused } from '../../outside/browser/chromium-sandbox.ts';
import { type BrowserReport, inspectBrowser } from '../../outside/browser/inspect-browser.ts';
import { LaunchFailure } from '../../outside/browser/launch-failure.ts';
import { asSentence, type Finding, failed, inWords, ok, reasonOf, skipped, warning } from './check.ts';
import { type FontNeed, fontAdvice } from './font-packages.ts';

export interface BrowserTask {
  /** CHROME_PATH. */
  chromePath?: string | undefined;
  /** REDPEN_BROWSER_SANDBOX. */
  sandbox: 'on' | 'off';
}

export interface BrowserAnswer {
  browser: Finding;
  /** With the time that drawing took, without the start of the browser. */
  fonts: Finding & { ms: number };
}

/** Starts a browser, checks which scripts it can render, and ends it. */
export async function checkBrowser(options: BrowserTask & { signal: AbortSignal }): Promise<BrowserAnswer> {
  try {
    const report = await inspectBrowser(options);
    return {
      browser: browserFinding(report, options),
      fonts: { ...fontsFinding(report), ms: report.drawnInMs },
    };
  } catch (error) {
    return {
      browser: browserFailure(error, options.chromePath),
      fonts: { ...skipped('Without a browser, fonts cannot be checked.'), ms: 0 },
    };
  }
}

function browserFinding(report: BrowserReport, { sandbox }: BrowserTask): Finding {
  const { path, isBundled, version, hasSandbox, startedInMs } = report;
  const which = isBundled ? `${path}, bundled` : path;
  const found = `Chromium ${version} (${which}) started in ${inWords(startedInMs)}, ${hasSandbox ? 'with' : 'without'} its sandbox.`;
  if (hasSandbox) return ok(found);
  const without = 'Chromium runs without its sandbox, since';
  return sandbox === 'off'
    ? warning(
        found,
        'REDPEN_BROWSER_SANDBOX is off, so that only the browser itself confines a hostile page. Set it to on if the system allows it.',
        `${without} REDPEN_BROWSER_SANDBOX is off.`,
      )
    : warning(
        found,
        'Chromium has no sandbox as root. Run the service as an ordinary user.',
        `${without} the service runs as root; run it as an ordinary user.`,
      );
}

/** The finding for a browser that does not start. */
export function browserFailure(error: unknown, chromePath: string | undefined): Finding {
  if (error instanceof SandboxRefused)
    return failed(error.message, 'REDPEN_BROWSER_SANDBOX is on.', error.message);
  const brief = error instanceof LaunchFailure ? error.brief : 'Chromium did not start';
  const advice =
    chromePath !== undefined
      ? `CHROME_PATH is ${chromePath}. Set it to a Chromium that runs, or omit it to use the one that is found or bundled.`
      : /lacks the library/.test(brief)
        ? 'Install a Chromium of the system (Debian: chromium), which includes its libraries.'
        : 'Install a Chromium of the system (Debian: chromium), or set CHROME_PATH to one.';
  return failed(asSentence(reasonOf(error)), advice, `The browser cannot be started: ${brief}.`);
}

function fontsFinding({ undrawn }: BrowserReport): Finding {
  if (undrawn.length === 0) return ok('Latin, Chinese, Japanese, Korean and emoji are rendered.');
  const needs: FontNeed[] = [
    ...(undrawn.includes('Latin') ? (['letters'] as const) : []),
    ...(undrawn.some((name) => name !== 'Latin' && name !== 'emoji') ? (['cjk'] as const) : []),
    ...(undrawn.includes('emoji') ? (['emoji'] as const) : []),
  ];
  const list = new Intl.ListFormat('en').format(undrawn);
  return warning(
    `Screenshots show boxes in place of ${list}: no font contains them.`,
    fontAdvice(needs),
    `Screenshots show boxes in place of ${list}: no font contains them.`,
  );
}

const PROGRAM = fileURLToPath(new URL('browser-process.ts', import.meta.url));

/** Runs `checkBrowser` in a process of its own with low priority, so that its driver takes no memory of the service. */
export async function checkBrowserApart(task: BrowserTask, signal: AbortSignal): Promise<BrowserAnswer> {
  const child = fork(PROGRAM, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    killSignal: 'SIGKILL',
    signal,
  });
  lowerPriority(child.pid);
  const { promise, resolve, reject } = Promise.withResolvers<BrowserAnswer>();
  child.on('message', (answer) => resolve(answer as BrowserAnswer));
  child.on('error', reject);
  child.on('exit', (code, by) => reject(new Error(`The process of the check ended with ${by ?? code}`)));
  child.send(task, () => {});
  return await promise;
}
