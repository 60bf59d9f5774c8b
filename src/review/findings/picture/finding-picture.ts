import type { Db } from '../../../db/tables.ts';
import { cutPicture } from '../../../files/cut-picture.ts';
import { failedPrecondition } from '../../../lib/errors.ts';
import type { BlobStore } from '../../../outside/storage/blob-store.ts';
import type { FindingPicture } from '../../../shapes/agents/finding-record.ts';
import { getArtifact } from '../../../store/agents/artifacts.ts';
import { screenshotOf } from '../../../store/agents/finding-history.ts';
import type { FindingRecordRow } from '../../../store/agents/finding-records.ts';
import { layoutsOf, shownOf, tilePartsOf } from './picture-area.ts';

const MAX_BYTES = 150_000;

/**
 * The place of a finding in the screenshot of the last run that saw it. Throws FAILED_PRECONDITION if there is no screenshot,
 * or if it cannot be read.
 */
export async function pictureOf(
  { db, blobs }: { db: Db; blobs: BlobStore },
  row: FindingRecordRow,
  { outline }: { outline: boolean },
): Promise<FindingPicture> {
  const screenshot = await screenshotOf(db, row);
  if (!screenshot)
    throw failedPrecondition(
      'The last run that saw the finding kept no screenshot: it read the page without a browser, `screenshots` was none, or the screenshot was removed since.',
    );
  const load = async (artifactId: string): Promise<Uint8Array> => {
    const artifact = await getArtifact(db, row, artifactId);
    const blob = artifact && (await blobs.get(artifact.blobKey));
    if (!blob) throw failedPrecondition('The screenshot of the page is not kept any more.');
    return blob.bytes;
  };
  const shown = shownOf(row.body, screenshot);
  const parts = tilePartsOf(shown.area, screenshot.tiles).map(({ artifactId, share }) => ({
    load: () => load(artifactId),
    share,
  }));
  const { bytes, layout } = await cutPicture(parts, layoutsOf(shown, screenshot.scale), {
    owner: row.apiKeyId,
    outline,
    maxBytes: MAX_BYTES,
  });
  return { mimeType: 'image/webp', base64: bytes.toString('base64'), ...layout, area: shown.area };
}
