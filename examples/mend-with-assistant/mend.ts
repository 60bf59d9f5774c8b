// Lets a model mend a folder of pages: reviews them, gives the model the findings by MCP and the files, and reviews again.
import { cp, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { readConfig } from '../../src/config.ts';
import { createModels } from '../../src/outside/models/create-models.ts';
import { serveFolder } from '../../src/roles/commands/review/watch/serve-folder.ts';
import { providersOf } from '../../src/roles/setup/places.ts';
import { fileTools, listFiles, readFiles } from './files.ts';
import { startRedpen } from './redpen.ts';

const SAMPLE = join(import.meta.dirname, 'site');
const COPY = join(import.meta.dirname, '../../data/mended-site');
const MOST_PAGES = 10;
const MOST_TURNS = 40;
const WITHIN_MS = 900_000;

const INSTRUCTIONS = `You mend the source of a web site. The tools of Redpen show what its reviews found; list_files, read_file and replace_in_file are the source. The pages are served from these files, so a change is there at once. Make the smallest changes that remove the faults, check them with review_page, and then say in a few lines what you changed.`;

/** The folder of the command line, or a fresh copy of the sample site. */
async function folderToMend(given: string | undefined): Promise<string> {
  if (given !== undefined) return resolve(given);
  await rm(COPY, { recursive: true, force: true });
  await mkdir(join(COPY, '..'), { recursive: true, mode: 0o700 });
  await cp(SAMPLE, COPY, { recursive: true });
  return COPY;
}

function openModels() {
  const config = readConfig(process.env);
  return createModels({
    providers: providersOf(config),
    defaultModel: config.REDPEN_MODEL,
    allowedModels: config.REDPEN_MODELS,
    maxOutputTokens: config.REDPEN_MODEL_OUTPUT_TOKENS,
  });
}

function printDiff(before: Map<string, string>, after: Map<string, string>): void {
  for (const [name, text] of after) {
    const earlier = before.get(name) ?? '';
    if (earlier !== text) console.log(createTwoFilesPatch(name, name, earlier, text, '', '', { context: 1 }));
  }
}

async function main(): Promise<number> {
  const models = openModels();
  // Without a model, this says which variable to set, before anything is started.
  const choice = models.choose();
  const folder = await folderToMend(process.argv[2]);
  const site = await serveFolder(folder);
  const redpen = await startRedpen(new URL(site.url).host);
  try {
    const pages = (await listFiles(folder)).filter((name) => name.endsWith('.html')).slice(0, MOST_PAGES);
    const urls = pages.map((name) => new URL(name, site.url).href);
    const files = await readFiles(folder);
    const before = await redpen.review(urls);
    console.log(`${before} open findings on ${urls.length} pages of ${folder}. ${choice.model} mends them.`);
    if (before === 0) return 0;
    const { data } = await models.ask({
      choice,
      instructions: INSTRUCTIONS,
      parts: [{ text: redpen.prompt }],
      tools: [...redpen.tools, ...fileTools(folder)],
      maxToolTurns: MOST_TURNS,
      timeoutMs: WITHIN_MS,
      note(note) {
        if (note.kind === 'tool') console.log(`  ${note.name} ${JSON.stringify(note.input)}`);
      },
    });
    console.log(`\n${data}\n`);
    printDiff(files, await readFiles(folder));
    const after = await redpen.review(urls);
    console.log(`${before} open findings before, ${after} after.`);
    return after === 0 ? 0 : 1;
  } finally {
    await redpen.close();
    await site.close();
    await models.close();
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
