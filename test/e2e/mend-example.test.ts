import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeModels, type Script } from '../fakes/models/fake-models.ts';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/mend-with-assistant');

/** The text that replaces another in a file. */
const CHANGES: [string, string, string][] = [
  ['index.html', 'you recieve it warm', 'you receive it warm'],
  ['index.html', '<img src="loaf.svg"', '<img src="loaf.svg" alt="A loaf of bread"'],
  ['index.html', 'href="vist.html"', 'href="visit.html"'],
  ['style.css', 'color: #c4c4c4', 'color: #595959'],
];

/** A model that looks at the findings and the files, mends them, and checks. It finds all ids in the answers of tools. */
const mender =
  (pages: string[]): Script =>
  ({ turn, toolResults }) => {
    const said = toolResults.map(({ text }) => text).join('\n');
    if (turn === 0)
      return {
        toolCalls: [
          { name: 'list_findings', input: {} },
          { name: 'list_files', input: {} },
        ],
      };
    if (turn === 1) {
      const ids = [...new Set(said.match(/\bfnd_\w+/g))];
      return {
        toolCalls: [
          ...ids.map((findingId) => ({ name: 'get_finding', input: { findingId, screenshot: 'none' } })),
          ...pages.map((name) => ({ name: 'read_file', input: { name } })),
          { name: 'read_file', input: { name: '../mend.ts' } },
        ],
      };
    }
    if (turn === 2)
      return {
        toolCalls: CHANGES.map(([name, oldText, newText]) => ({
          name: 'replace_in_file',
          input: { name, oldText, newText },
        })),
      };
    const address = /http:\/\/127\.0\.0\.1:\d+\/index\.html/.exec(said)?.[0];
    if (turn === 3)
      return {
        toolCalls: [{ name: 'review_page', input: { urls: [address], agents: ['broken-links'] } }],
      };
    return { text: 'Mended the link, the picture, the color and the word.' };
  };

test('an assistant mends the sample site through MCP until the review finds nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-mend-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(EXAMPLE, 'site'), folder, { recursive: true });
  const fake = await fakeModels(mender(['index.html', 'style.css']));
  onTestFinished(() => fake.close());

  const { code, stdout, stderr } = await new Promise<{ code: number; stdout: string; stderr: string }>(
    (resolve) => {
      execFile(
        process.execPath,
        [join(EXAMPLE, 'mend.ts'), folder],
        {
          env: {
            PATH: process.env.PATH,
            NODE_COMPILE_CACHE,
            OPENAI_BASE_URL: fake.url('openai'),
            REDPEN_MODEL: 'openai/gpt-5.6-luna',
          },
        },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    },
  );
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain('4 open findings before, 0 after.');
  expect(fake.requests.map(({ wrong }) => wrong)).toEqual(fake.requests.map(() => undefined));
  const results = fake.requests.at(-1)!.question!.toolResults;
  // The file lies outside of the folder.
  expect(results.filter(({ text }) => text.includes('There is no file'))).toEqual([
    expect.objectContaining({ text: expect.stringContaining('There is no file ../mend.ts.') }),
  ]);
  expect(results.at(-1)!.text).toMatch(/^Review review_\w+ has ended: clean\. 0 open findings/);

  for (const name of readdirSync(join(EXAMPLE, 'site'))) {
    const meant = CHANGES.filter(([file]) => file === name).reduce(
      (text, [, oldText, newText]) => text.replace(oldText, newText),
      readFileSync(join(EXAMPLE, 'site', name), 'utf8'),
    );
    expect(readFileSync(join(folder, name), 'utf8'), name).toBe(meant);
  }
  expect(stdout).toContain('-    <p>We bake bread beside the harbor, and you recieve it warm.</p>');
});

test('without a model it says which variable to set', async () => {
  const stderr = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [join(EXAMPLE, 'mend.ts')],
      { env: { PATH: process.env.PATH, NODE_COMPILE_CACHE } },
      (_error, _stdout, stderr) => resolve(stderr),
    );
  });
  expect(stderr).toMatch(/OPENAI_API_KEY/);
});
