import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault that an agent must find. */
export interface Planted {
  agent: string;
  page: string;
  /** Part of the text that the finding quotes; absent if the fault is not in visible text. */
  quote?: string;
  issueType?: RegExp;
  /** Part of the selector, if only that distinguishes the fault from similar ones. */
  selector?: string;
}

/** A page with each fault in a separate element, and correct text between them. */
export interface PlantedPage {
  path: string;
  head?: string;
  body: string;
  lang?: string;
  faults: Omit<Planted, 'page'>[];
}

export interface PlantedSite {
  url: string;
  planted: Planted[];
  close(): Promise<void>;
}

/** The header of a PNG, which suffices to read its size. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(33);
  header.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  header.writeUInt32BE(13, 8);
  header.write('IHDR', 12, 'latin1');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  header.set([8, 2, 0, 0, 0], 24);
  return header;
}

const preview = (origin: string, path: string) =>
  [
    ['og:title', 'A page'],
    ['og:description', 'What the page is about'],
    ['og:type', 'website'],
    ['og:url', `${origin}${path}`],
    ['og:image', `${origin}/wide.png`],
    ['og:image:alt', 'A hill in the evening'],
  ]
    .map(([name, content]) => `<meta property="${name}" content="${content}">`)
    .join('');

/** Serves the pages, which all link to each other, and their pictures. */
export async function startPlantedSite(pages: readonly PlantedPage[]): Promise<PlantedSite> {
  let origin = '';
  const links = pages.map(({ path }, index) => `<li><a href="${path}">Page ${index + 1}</a></li>`).join('');
  const document = ({ path, head, body, lang = 'en' }: PlantedPage) =>
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `${head?.includes('<title') ? '' : '<title>Harbour notes</title>'}${(head ?? preview(origin, path)).replaceAll('{origin}', origin)}` +
    `</head><body><header><nav><ul>${links}</ul></nav></header><main>${body.replaceAll('{origin}', origin)}</main></body></html>`;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const picture = /^\/(wide|small|square|card)\.png$/.exec(path)?.[1];
    if (picture) {
      const [width, height] = { wide: [1200, 630], small: [120, 63], square: [900, 900], card: [1000, 525] }[
        picture
      ]!;
      response.writeHead(200, { 'content-type': 'image/png' }).end(png(width!, height!));
      return;
    }
    const page = pages.find((candidate) => candidate.path === path);
    if (!page) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(document(page));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin,
    planted: pages.flatMap(({ path, faults }) => faults.map((fault) => ({ ...fault, page: path }))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
