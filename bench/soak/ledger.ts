/** Everything that the service has acknowledged, and what must be found in the end. */
export interface Ledger {
  /** Texts of comments by id, in the order in which they were sent; the acknowledged ones are marked. */
  comments: Versions;
  /** Names of documents by id. */
  documents: Versions;
  /** Ids of notifications. */
  notifications: string[];
  /** Ids of judgments, with the document in which they are. */
  judgments: { id: string; documentId: string }[];
  /** Digests of uploaded files by the id of the attachment. */
  uploads: { attachmentId: string; sha256: string }[];
  /** Ids of runs, with whether nothing was broken when they were accepted. */
  runs: { executionId: string; wasCalm: boolean }[];
  /** Webhooks that must arrive, as `event mark`. */
  webhooks: string[];
}

export const newLedger = (): Ledger => ({
  comments: new Versions(),
  documents: new Versions(),
  notifications: [],
  judgments: [],
  uploads: [],
  runs: [],
  webhooks: [],
});

/** Versions of values by key. A change without an answer may have been made, so later versions are possible, too. */
export class Versions {
  readonly #sent = new Map<string, string[]>();
  readonly #acknowledged = new Map<string, number>();

  /** Notes that a version is sent; the returned function notes that it is acknowledged. */
  send(key: string, value: string): () => void {
    const sent = this.#sent.get(key) ?? [];
    this.#sent.set(key, sent);
    const index = sent.push(value) - 1;
    return () => void this.#acknowledged.set(key, Math.max(index, this.#acknowledged.get(key) ?? 0));
  }

  /** Number of keys of which at least one version is acknowledged. */
  get size(): number {
    return this.#acknowledged.size;
  }

  /** Number of acknowledged and later versions that are gone: the stored one is older, or there is none. */
  lost(stored: ReadonlyMap<string, string>): string[] {
    return [...this.#acknowledged].flatMap(([key, index]) => {
      const value = stored.get(key);
      const possible = this.#sent.get(key)!.slice(index);
      return value !== undefined && possible.includes(value) ? [] : [key];
    });
  }
}
