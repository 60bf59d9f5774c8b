// One line to a verdict: `npm run demo` reviews the sample site with six agents, as `redpen review` reviews any site.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startSite } from './site-server.ts';

const ROOT = resolve(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'data/demo');
const REPORT = join(OUTPUT, 'report.html');
/** Exit code of a review that found what the gate does not allow, which the sample site is made for. */
const HAS_FINDINGS = 1;

const say = (text: string): void => {
  console.log(text);
};

/** Resolves with the first signal to end, which may come before the demo waits for it. */
const interrupted = new Promise<void>((done) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done());
});

/** Runs the command in this terminal, and returns its exit code once it has ended. */
function runCommand(words: string[]): Promise<number> {
  const child = spawn(process.execPath, [join(ROOT, 'src/cli.ts'), ...words], { stdio: 'inherit' });
  // Ctrl-C reaches the command too, which then leaves nothing behind; other signals are handed on.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => done(signal ? 130 : (code ?? 1)));
  });
}

async function main(): Promise<number> {
  const site = await startSite();
  try {
    // The service closes its data folder to other users, and warns about entries that are open.
    await mkdir(OUTPUT, { recursive: true, mode: 0o700 });
    await rm(REPORT, { force: true });
    const folder = relative(process.cwd(), OUTPUT);
    const words = ['review', `${site.url}/`, '--max-pages', '20', '--format', 'text,html,json,markdown'];
    say(`The sample site is at ${site.url}/. The demo reviews it with six agents:\n`);
    say(`  redpen ${words.join(' ')} --output ${folder}\n`);
    const code = await runCommand([...words, '--output', OUTPUT]);
    if (code !== HAS_FINDINGS || !existsSync(REPORT)) {
      say(code === 130 ? 'The demo was stopped.' : `The demo failed: the review ended with code ${code}.`);
      return code || HAS_FINDINGS;
    }
    say('\nThe site has deliberate faults, so the review fails. Its reports stay:\n');
    say(`  to look at, in a browser   ${pathToFileURL(REPORT).href}`);
    say(`  for programs               ${join(folder, 'report.json')}\n`);
    // On a terminal, a person can look at it.
    if (process.stdin.isTTY && process.stdout.isTTY) {
      say('The sample site stays up for the links of the report. Ctrl-C ends the demo.');
      await interrupted;
      say('');
    }
    return 0;
  } finally {
    await site.close();
  }
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(`The demo failed. ${error.message}`);
    process.exit(1);
  },
);
