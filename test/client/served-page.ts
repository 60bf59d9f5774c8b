import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../run/at-end.ts';
import { bundle } from './bundled.ts';

/** A page of another origin than the service, with the client as a bundler packs it; returns its address. */
export async function servePage(code: string): Promise<string> {
  const chunks = await bundle(code);
  const scripts = new Map(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
  const entry = chunks.find(({ isEntry }) => isEntry)!.fileName;
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    if (script !== undefined) response.setHeader('content-type', 'text/javascript').end(script);
    else
      response
        .setHeader('content-type', 'text/html')
        .end(`<!doctype html><link rel="icon" href="data:,"><script type="module" src="/${entry}"></script>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
