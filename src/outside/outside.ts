import type { Browser } from './browser/browser.ts';
import type { BrowserAgent } from './browser-agent/browser-agent.ts';
import type { Embeddings } from './embed/vectors/embedder.ts';
import type { ReadFile } from './files/file-reader.ts';
import type { Lighthouse } from './lighthouse/lighthouse-report.ts';
import type { Mail } from './mail/mail.ts';
import type { ConnectMcp } from './mcp/mcp.ts';
import type { Models } from './models/models.ts';
import type { SafeFetch, Targets } from './net/outbound-fetch.ts';
import type { ClientDocuments } from './oauth/client-documents.ts';
import type { BlobStore } from './storage/blob-store.ts';

/** Everything that leaves the process, passed as one value; `boot.ts` builds it. */
export interface Outside {
  fetch: SafeFetch;
  /** A fetch with its own connection pool, so that webhook receivers that hang block no other request. */
  webhooks: SafeFetch;
  /** Addresses that `webhooks` connects to. */
  webhookTargets: Targets;
  /** Clients of OAuth. */
  clients: ClientDocuments;
  browser: Browser;
  blobs: BlobStore;
  mail: Mail;
  models: Models;
  connectMcp: ConnectMcp;
  lighthouse: Lighthouse;
  browserAgent: BrowserAgent;
  readFile: ReadFile;
  embeddings: Embeddings;
}
