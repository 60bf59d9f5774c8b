import type { Finding, Severity } from '@redpen/client';

/** A place in a picture or page, in CSS pixels of the page. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A number on a picture or page, with the element that it marks. */
export interface Pin extends Box {
  id: string;
  number: number;
  title: string;
  /** `finding` by default. */
  kind?: 'finding' | 'comment' | undefined;
  severity?: Severity | undefined;
  /** Resolved, rejected or ignored: shown with less weight. */
  isClosed?: boolean | undefined;
  isUnread?: boolean | undefined;
}

/** What a pin needs of a finding: those of runs, of reports and of `findings/list` have it. */
export type PinnedFinding = Pick<Finding, 'id' | 'title' | 'severity'> &
  Partial<Pick<Finding, 'position' | 'outsideScreenshot' | 'decision'>> & {
    /** The number of the finding in a report. */
    number?: number | undefined;
    ignored?: string | undefined;
  };

/** The pins of findings that have a place in the picture; a finding keeps its number, or is numbered by its order. */
export const pinsOf = (findings: readonly PinnedFinding[]): Pin[] =>
  findings.flatMap(({ position, outsideScreenshot, number, decision, ignored, ...finding }, at) =>
    position && !outsideScreenshot
      ? [
          {
            ...boxOf(position),
            id: finding.id,
            title: finding.title,
            severity: finding.severity,
            number: number ?? at + 1,
            isClosed: decision === 'rejected' || decision === 'resolved' || ignored !== undefined,
          },
        ]
      : [],
  );

const boxOf = ({ x, y, width, height }: Box): Box => ({ x, y, width, height });

/** In the order in which people read: from top to bottom, and then from the start of the line. */
export const inReadingOrder = (pins: readonly Pin[]): Pin[] =>
  [...pins].sort((one, other) => one.y - other.y || one.x - other.x || one.number - other.number);

/** The part of the box within the picture; undefined if there is none. */
export function withinPicture(box: Box, picture: { width: number; height: number }): Box | undefined {
  const x = Math.max(0, box.x);
  const y = Math.max(0, box.y);
  const width = Math.min(picture.width, box.x + box.width) - x;
  const height = Math.min(picture.height, box.y + box.height) - y;
  const isVisible = width >= 0 && height >= 0 && x < picture.width && y < picture.height;
  return isVisible && [x, y, width, height].every(Number.isFinite) ? { x, y, width, height } : undefined;
}
