import type { Redpen, ScreenshotTile } from '@redpen/client';

export type TileUrl = (tile: ScreenshotTile) => string | undefined;

/**
 * The addresses of the pictures of tiles. An `<img>` sends no credentials of a client, so tiles without a link are
 * fetched by the client; `onArrival` is called for each of them.
 */
export class TileUrls {
  #fetched = new Map<string, string>();
  #asked = new Set<string>();
  #failed = new Set<string>();
  #onArrival: () => void;

  constructor(onArrival: () => void) {
    this.#onArrival = onArrival;
  }

  /** Undefined until it is there. */
  find(tile: ScreenshotTile, given: TileUrl | undefined, client: Redpen | undefined): string | undefined {
    const { artifactId } = tile;
    const url = given?.(tile) ?? tile.url ?? this.#fetched.get(artifactId);
    if (url === undefined && client && !this.#asked.has(artifactId)) {
      this.#asked.add(artifactId);
      void this.#fetch(client, artifactId);
    }
    return url;
  }

  hasFailed(tile: ScreenshotTile): boolean {
    return this.#failed.has(tile.artifactId);
  }

  fail(tile: ScreenshotTile): void {
    this.#failed.add(tile.artifactId);
    this.#onArrival();
  }

  async #fetch(client: Redpen, artifactId: string): Promise<void> {
    try {
      const path = `/v2/blobs/${encodeURIComponent(artifactId)}`;
      const response = await client.connection.request(path, {});
      this.#fetched.set(artifactId, URL.createObjectURL(await response.blob()));
    } catch {
      this.#failed.add(artifactId);
    }
    this.#onArrival();
  }

  /** Gives the memory of the pictures back; they are fetched anew if they are needed again. */
  release(): void {
    for (const url of this.#fetched.values()) URL.revokeObjectURL(url);
    this.#fetched.clear();
    this.#asked.clear();
    this.#failed.clear();
  }
}
