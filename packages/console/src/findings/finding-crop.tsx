import type { FindingRecord, PageScreenshot } from '@redpen/client';
import { useKey } from '../session/session.tsx';
import { fileUrl } from '../session/session-fetch.ts';
import { type Area, cropOf } from './crop.ts';
import styles from './findings.module.css';

/** The part of the picture of a page in which the element lies, with a frame around the element. */
export function FindingCrop({
  screenshot,
  finding: { position, outsideScreenshot, title },
}: {
  screenshot: PageScreenshot;
  finding: Pick<FindingRecord, 'position' | 'outsideScreenshot' | 'title'>;
}) {
  const { apiKeyId } = useKey().key;
  if (!position || outsideScreenshot) return null;
  const crop = cropOf(position, screenshot);
  if (!crop) return null;
  const touches = (tile: Area) => tile.y < crop.y + crop.height && crop.y < tile.y + tile.height;
  return (
    <svg
      className={styles.crop}
      viewBox={`${crop.x} ${crop.y} ${crop.width} ${crop.height}`}
      role="img"
      aria-label={`The place on the page: ${title}`}
    >
      {screenshot.tiles.filter(touches).map((tile) => (
        <image
          key={tile.artifactId}
          href={fileUrl(apiKeyId, `/v2/blobs/${encodeURIComponent(tile.artifactId)}`)}
          x={tile.x}
          y={tile.y}
          width={tile.width}
          height={tile.height}
          preserveAspectRatio="none"
        />
      ))}
      <rect
        className={styles.frame}
        x={position.x}
        y={position.y}
        width={position.width}
        height={position.height}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
