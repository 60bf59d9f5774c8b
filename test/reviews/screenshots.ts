import { sql } from 'kysely';
import sharp from 'sharp';
import { json } from '../../src/db/sql-fragments.ts';
import { md5, randomId } from '../../src/lib/ids.ts';
import type { Finding } from '../../src/shapes/agents/execution.ts';
import type { PageScreenshot } from '../../src/shapes/agents/execution-record.ts';
import { insertArtifacts } from '../../src/store/agents/artifacts.ts';
import { type TestWorkspace, testApp } from '../service/harness.ts';

export type Color = [red: number, green: number, blue: number];

/** A WebP picture of one color. */
export const plainPicture = (width: number, height: number, [r, g, b]: Color): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .webp({ quality: 90 })
    .toBuffer();

export interface KeptTile {
  bytes: Uint8Array;
  /** In CSS px. */
  width: number;
  height: number;
}

/** A white tile, of whose picture there are few bytes. */
export const plainTile = async (width = 320, height = 200): Promise<KeptTile> => ({
  bytes: await plainPicture(width, height, [255, 255, 255]),
  width,
  height,
});

/**
 * Stores tiles, from top to bottom, as the screenshot of the page on which the last run saw a finding, and changes fields of the
 * finding. Returns the blob keys of the tiles.
 */
export async function keepScreenshot(
  w: TestWorkspace,
  findingId: string,
  tiles: KeptTile[],
  { fields = {}, ...more }: Partial<PageScreenshot> & { fields?: Partial<Finding> } = {},
): Promise<string[]> {
  const { deps } = await testApp();
  const stored: PageScreenshot['tiles'] = [];
  const blobKeys: string[] = [];
  await deps.db.transaction().execute(async (tx) => {
    const { body, lastExecutionId: executionId } = await tx
      .selectFrom('findingRecords')
      .select(['body', 'lastExecutionId'])
      .where('apiKeyId', '=', w.apiKeyId)
      .where('findingId', '=', findingId)
      .executeTakeFirstOrThrow();
    let y = 0;
    for (const [index, { bytes, width, height }] of tiles.entries()) {
      const artifactId = `file_${randomId(20)}`;
      const blobKey = `${w.apiKeyId}/${executionId}/${artifactId}`;
      await deps.outside.blobs.put(blobKey, bytes, 'image/webp');
      const file = { artifactId, executionId, blobKey, name: `screenshot-${index + 1}.webp` };
      await insertArtifacts(tx, [
        {
          ...file,
          apiKeyId: w.apiKeyId,
          mimeType: 'image/webp',
          sizeBytes: bytes.length,
          createdAt: Date.now(),
        },
      ]);
      stored.push({ artifactId, x: 0, y, width, height });
      blobKeys.push(blobKey);
      y += height;
    }
    const width = tiles[0]!.width;
    const screenshot: PageScreenshot = {
      ...{ deviceType: 'desktop', mimeType: 'image/webp', scale: 1, truncated: false },
      viewport: { width, height: Math.min(y, 800) },
      width,
      height: y,
      tiles: stored,
      ...more,
    };
    await sql`update execution_pages set detail = jsonb_set(detail, '{screenshot}', ${json(screenshot)})
      where api_key_id = ${w.apiKeyId} and execution_id = ${executionId}
        and url_hash = ${md5(body.sourceUrl)}`.execute(tx);
    await tx
      .updateTable('findingRecords')
      .set({ body: json({ ...body, ...fields }) })
      .where('apiKeyId', '=', w.apiKeyId)
      .where('findingId', '=', findingId)
      .execute();
  });
  return blobKeys;
}
