import type { Deps, Settings } from '../deps.ts';
import type { Scope } from '../lib/scope.ts';
import type { AuditAction, AuditTargetType } from '../shapes/audit/audit-actions.ts';

export interface SentFile {
  bytes: Uint8Array;
  mimeType: string;
  /** Name under which a client saves it. */
  name: string;
  /** For routes that show some files: false if browsers only save this one. Its name is then sent with all characters. */
  shows?: boolean;
  /** True for a page with styles and pictures of its own and without scripts. */
  isPage?: boolean;
}

/** A choice in the query of a route. */
export interface QueryChoice {
  name: string;
  description: string;
  values: readonly string[];
}

/** Parts of a link: the id in its path and its query, in which a name may occur more than once. */
export interface Link {
  id: string;
  query: Record<string, unknown>;
}

interface LinkRoute {
  path: string;
  summary: string;
  description: string;
}

/** A download that the audit log records, after the file has been read. */
export interface AuditedDownload {
  action: AuditAction;
  /** The type of the target, whose id is that of the link. */
  typeOf(id: string): AuditTargetType;
  /** The owner of the file of a signed link. */
  ownerOf?(link: Link, deps: Deps): Promise<Scope | undefined>;
}

/** A file as raw bytes, for callers with the API key. */
export interface ApiKeyFileRoute extends LinkRoute {
  by: 'apiKey';
  /** The part of the path after the id, such as `/report`. */
  after?: string;
  choice?: QueryChoice;
  audit?: AuditedDownload;
  handle(link: Link, caller: Scope, deps: Deps): Promise<SentFile>;
}

/** A file for anyone with a signed link; the signature is the only credential. */
export interface DownloadRoute extends LinkRoute {
  by: 'download link';
  /** True if pages of any origin show the file and browsers keep it for a while. */
  isShown?: true;
  /** True if a browser opens it; files that are neither shown nor opened are only saved. */
  isOpened?: true;
  choice?: QueryChoice;
  audit?: AuditedDownload;
  handle(link: Link, deps: Deps): Promise<SentFile>;
}

/** An upload of raw bytes over a signed link. */
export interface UploadRoute extends LinkRoute {
  by: 'upload link';
  bodyLimitBytes(settings: Settings): number;
  /** True if pages of any origin may upload. */
  isFromPages?: true;
  /**
   * Runs before the body is read. Throws if the file is not accepted, and may return the number of bytes after which
   * reading ends.
   */
  accept(
    link: Link,
    file: { mimeType: string; byteSize: number | undefined },
    deps: Deps,
  ): Promise<number | undefined>;
  handle(link: Link, bytes: Uint8Array, deps: Deps): Promise<void>;
}

/** A route that receives or sends raw bytes instead of JSON. */
export type FileRoute = ApiKeyFileRoute | DownloadRoute | UploadRoute;

export const UPLOADED = 'File uploaded.';
