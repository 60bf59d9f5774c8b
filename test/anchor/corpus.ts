import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { bundle } from '../client/bundled.ts';
import { newTestContext } from '../service/test-browser.ts';
import type { Case } from './page/judge.ts';

const root = resolve(import.meta.dirname, '../..');
const ADDRESS = 'http://page.test/';

export interface SavedPage {
  name: string;
  html: string;
}

const pagesIn = (folder: string): SavedPage[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .sort()
    .map((file) => ({ name: `${folder}/${file}`, html: readFileSync(join(root, folder, file), 'utf8') }));

/** Pages of the sample sites of this repository. */
export const ownPages = (): SavedPage[] => [...pagesIn('examples/site'), ...pagesIn('bench/compare/site')];
/** Pages of others. */
export const savedPages = (): SavedPage[] => pagesIn('test/anchor/fixtures/saved');

export interface Corpus {
  /** Edits a copy of a page, as the seed decides, and judges where its pins are. */
  judge(page: SavedPage, seed: number): Promise<Case[]>;
  /** Opens a page with the functions of an entry. */
  open(page: SavedPage): Promise<Page>;
}

const styleOf = (name: string): string | undefined => {
  const folder = /^(examples\/site|bench\/compare\/site)/.exec(name)?.[1];
  return folder && readFileSync(join(root, folder, 'style.css'), 'utf8');
};

/** Pages in a real browser that reaches no network, with a script of `test/anchor/page`. */
export async function startCorpus(script = 'judge'): Promise<Corpus> {
  const entry = join(import.meta.dirname, `page/${script}.ts`);
  const [chunk] = await bundle(`import ${JSON.stringify(entry)};`);
  const context = await newTestContext({ viewport: { width: 1280, height: 800 }, isWatched: false });
  await context.addInitScript({ content: `(() => {${chunk!.code}})()` });
  const open = async ({ name, html }: SavedPage): Promise<Page> => {
    const page = await context.newPage();
    await page.route('**/*', (route) => {
      const url = route.request().url();
      if (url === ADDRESS) return route.fulfill({ contentType: 'text/html', body: html });
      const style = url.endsWith('.css') ? styleOf(name) : undefined;
      return style ? route.fulfill({ contentType: 'text/css', body: style }) : route.abort();
    });
    await page.goto(ADDRESS, { waitUntil: 'domcontentloaded' });
    return page;
  };
  return {
    open,
    async judge(saved, seed) {
      const page = await open(saved);
      try {
        return await page.evaluate((given) => window.judge(given), seed);
      } finally {
        await page.close();
      }
    },
  };
}

export interface Tally {
  pins: number;
  right: number;
  wrong: number;
  orphan: number;
  gone: number;
}

export function tally(cases: readonly Case[]): Tally {
  const count = (verdict: Case['verdict']) => cases.filter((one) => one.verdict === verdict).length;
  return {
    pins: cases.length,
    right: count('right'),
    wrong: count('wrong'),
    orphan: count('orphan'),
    gone: cases.filter(({ isGone }) => isGone).length,
  };
}
