import { encodeStateAsUpdate, encodeStateVector } from 'yjs';
import type { OpenEditor } from '../document/open-editor.ts';
import type { Limits } from '../protocol/limits.ts';

/**
 * Updates that build upon others which have not come are kept by Yjs until they do, and are tried anew with each
 * that comes: so there may be only few. Answers an update that holds those which came last and must be stored,
 * undefined where there is none, and `false` where there are too many.
 */
export function takeStranded(
  editor: OpenEditor,
  limits: Pick<Limits, 'strandedUpdates' | 'strandedBytes'>,
): Uint8Array | undefined | false {
  const { document } = editor;
  const { pendingStructs, pendingDs } = document.store;
  const bytes = (pendingStructs?.update.length ?? 0) + (pendingDs?.length ?? 0);
  const isMore = bytes > editor.strandedBytes;
  editor.strandedBytes = bytes;
  if (bytes === 0) editor.stranded = 0;
  if (!isMore) return undefined;
  editor.stranded += 1;
  if (editor.stranded > limits.strandedUpdates || bytes > limits.strandedBytes) return false;
  return encodeStateAsUpdate(document, encodeStateVector(document));
}
