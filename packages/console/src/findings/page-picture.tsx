import type { RpPins } from '@redpen/elements';
import '@redpen/elements';
import type { PageScreenshot, ScreenshotTile } from '@redpen/client';
import { type DetailedHTMLProps, type HTMLAttributes, useCallback, useEffect, useRef } from 'react';
import { useKey } from '../session/session.tsx';
import { fileUrl } from '../session/session-fetch.ts';
import styles from './findings.module.css';
import { useHoverStore } from './hover-store.ts';

type PinnedFinding = NonNullable<RpPins['findings']>[number];

interface PinsProps extends DetailedHTMLProps<HTMLAttributes<RpPins>, RpPins> {
  screenshot?: PageScreenshot;
  findings?: readonly PinnedFinding[];
  selected?: string | undefined;
  pageUrl?: string;
  zoom?: 'fit' | 'actual';
  tileUrl?: (tile: ScreenshotTile) => string;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'rp-pins': PinsProps;
    }
  }
}

/** The picture of a page with a numbered pin for each finding that has a place in it. */
export function PagePicture({
  screenshot,
  pageUrl,
  findings,
  selected,
  zoom = 'fit',
  onSelect,
}: {
  screenshot: PageScreenshot;
  pageUrl: string;
  findings: readonly PinnedFinding[];
  selected: string | undefined;
  zoom?: 'fit' | 'actual';
  onSelect: (id: string | undefined) => void;
}) {
  const { apiKeyId } = useKey().key;
  const hover = useHoverStore();
  const ref = useRef<RpPins>(null);
  const tileUrl = useCallback(
    ({ artifactId }: ScreenshotTile) => fileUrl(apiKeyId, `/v2/blobs/${encodeURIComponent(artifactId)}`),
    [apiKeyId],
  );
  useEffect(() => {
    const pins = ref.current;
    if (!pins) return;
    const idOf = (event: Event): string | undefined => (event as CustomEvent<{ id?: string }>).detail.id;
    const select = (event: Event) => onSelect(idOf(event));
    const close = () => onSelect(undefined);
    const enter = (event: Event) => hover.set(idOf(event));
    pins.addEventListener('rp-pin-select', select);
    pins.addEventListener('rp-pin-close', close);
    pins.addEventListener('rp-pin-hover', enter);
    return () => {
      pins.removeEventListener('rp-pin-select', select);
      pins.removeEventListener('rp-pin-close', close);
      pins.removeEventListener('rp-pin-hover', enter);
    };
  }, [onSelect, hover]);
  useEffect(
    () =>
      hover.subscribe(() => {
        if (ref.current) Object.assign(ref.current, { lit: hover.get() });
      }),
    [hover],
  );
  return (
    <rp-pins
      ref={ref}
      className={styles.picture}
      screenshot={screenshot}
      pageUrl={pageUrl}
      findings={findings}
      selected={selected}
      zoom={zoom}
      tileUrl={tileUrl}
    />
  );
}
