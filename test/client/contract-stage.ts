import { generateKeyPairSync } from 'node:crypto';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { Outcome, Stage } from '../../compat/contract.ts';
import { atEnd } from '../run/at-end.ts';
import { ownTenant, type Tenant } from '../service/own-tenant.ts';
import { ownService } from '../service/worker-service.ts';
import { builtPackage, repository } from './built-package.ts';
import { type ShakyProxy, shakyProxy } from './shaky-proxy.ts';

export const compatFolder = join(repository, 'compat');

/** A server on loopback that is closed at the end of the file. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface ContractStage {
  serviceUrl: string;
  /** The package as it is published, and the programs that run the contract. */
  folder: string;
  /** What a run is given, and the proxy that it uses. */
  forRuntime(organizationId: string): Promise<{ stage: Stage; proxy: ShakyProxy }>;
}

/** A workspace, a site to review and a message that was sent by webhook, until the end of the file. */
export async function newContractStage(): Promise<ContractStage> {
  const built = await builtPackage();
  atEnd(() => built[Symbol.dispose]());
  for (const file of readdirSync(compatFolder).filter((name) => name.endsWith('.ts')))
    cpSync(join(compatFolder, file), join(built.user, file));
  const manifest = { type: 'module', dependencies: { '@redpen/client': '*' } };
  writeFileSync(join(built.user, 'package.json'), JSON.stringify(manifest));
  const siteUrl = await serve((_, response) => {
    response.setHeader('content-type', 'text/html').end('<a href="mailto:nowhere">Write to us</a>');
  });
  // The contract counts the open streams of the service.
  const service = await ownService();
  const { apiKeyId: apiKey, headers, must } = await ownTenant(() => service);
  const webhook = await sentMessage(must);
  return {
    serviceUrl: service.url,
    folder: built.user,
    async forRuntime(organizationId) {
      const proxy = await shakyProxy(service.url);
      const stage = {
        organizationId,
        url: service.url,
        backendUrl: service.url,
        apiKey,
        authToken: headers['x-service-auth-token']!,
        shakyUrl: proxy.url,
        siteUrl: `${siteUrl}/`,
        webhook,
      };
      return { stage, proxy };
    },
  };
}

/** An encrypted message of the service about a document, as a receiver gets it. */
async function sentMessage(must: Tenant['must']): Promise<Stage['webhook']> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const arrived = Promise.withResolvers<{ body: string; headers: Record<string, string> }>();
  const url = await serve(async (request, response) => {
    const body = (await buffer(request)).toString();
    response.end();
    arrived.resolve({ body, headers: request.headers as Record<string, string> });
  });
  const settings = { isEnabled: true, encryptData: true, publicKey };
  await must('/v2/workspace/advancedwebhookconfig/update', settings);
  const root = '/v2/workspace/advancedwebhook/endpoints';
  const endpoint = await must(`${root}/create`, { url: `${url}/`, filterTypes: ['document.add'] });
  const { secret } = await must(`${root}/secret/get`, { endpointId: endpoint.id });
  await must('/v2/organizations/documents/add', {
    organizationId: 'webhooks',
    documents: [{ documentId: 'sent' }],
  });
  const message = await arrived.promise;
  // The messages about the documents of the runtimes would be deliveries without a receiver.
  await must(`${root}/delete`, { endpointId: endpoint.id });
  return { ...message, secret, privateKey };
}

/** Expects that all sections passed, that each lost answer was asked for again, and that the stream continued. */
export function expectContract(outcomes: Outcome[], { keys, positions }: ShakyProxy): void {
  expect(outcomes.filter(({ error }) => error)).toEqual([]);
  expect(outcomes.length).toBeGreaterThan(19);
  const distinct = new Set(keys);
  expect(distinct.size).toBeGreaterThan(0);
  for (const key of distinct) expect(keys.filter((other) => other === key)).toHaveLength(2);
  expect(positions).toEqual([undefined, expect.stringMatching(/./)]);
}
