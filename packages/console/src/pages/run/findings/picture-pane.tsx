import { ExternalLink, Maximize2, Minimize2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { pathOf } from '../../../findings/finding-text.ts';
import { PagePicture } from '../../../findings/page-picture.tsx';
import { FileButton, IconButton } from '../../../ui/button.tsx';
import { CheckInput, SelectInput } from '../../../ui/field.tsx';
import type { RunSearch } from '../run-search.ts';
import styles from './findings-tab.module.css';
import type { useFindingsView } from './use-findings-view.ts';

interface PicturePaneProps {
  view: ReturnType<typeof useFindingsView>;
  search: RunSearch;
  onSearch: (change: Partial<RunSearch>) => void;
  isRunning: boolean;
}

/** The picture of one of the reviewed pages, with the pins of the findings that are listed. */
export function PicturePane({ view, search, onSearch, isRunning }: PicturePaneProps) {
  const onSelect = useCallback((finding: string | undefined) => onSearch({ finding }), [onSearch]);
  const [isActualSize, setActualSize] = useState(false);
  const { page, pages, pins, currentFinding } = view;
  if (!page) return null;
  return (
    <section className={styles.picture} aria-label="Picture of the page">
      <header className={styles.pictureHead}>
        {pages.length > 1 ? (
          <>
            <div className={styles.pageSelect}>
              <SelectInput
                label="Page"
                isLabelHidden
                choices={pages.map(({ url, count }) => ({ id: url, label: `${pathOf(url)} (${count})` }))}
                value={page.url}
                onChange={(url) => onSearch({ page: url, finding: undefined })}
              />
            </div>
            <CheckInput
              isSelected={search.isPageOnly}
              onChange={(isPageOnly) => onSearch({ isPageOnly, page: page.url })}
            >
              Only this page
            </CheckInput>
          </>
        ) : (
          <code className={styles.pageName}>{page.url}</code>
        )}
        <span className={styles.tools}>
          {page.screenshot && (
            <IconButton
              label={isActualSize ? 'Fit the width' : 'Show in actual size'}
              size="small"
              onPress={() => setActualSize(!isActualSize)}
            >
              {isActualSize ? <Minimize2 /> : <Maximize2 />}
            </IconButton>
          )}
          <FileButton
            size="small"
            variant="quiet"
            href={page.url}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open ${page.url}`}
          >
            <ExternalLink />
          </FileButton>
        </span>
      </header>
      {page.screenshot ? (
        <PagePicture
          screenshot={page.screenshot}
          pageUrl={page.url}
          findings={pins.findings}
          selected={currentFinding?.id}
          zoom={isActualSize ? 'actual' : 'fit'}
          onSelect={onSelect}
        />
      ) : (
        <p className={styles.noPicture}>
          {isRunning
            ? 'The picture comes as soon as the page is loaded.'
            : 'There is no picture of this page: no agent opened it in a browser, or nothing was found on it.'}
        </p>
      )}
      {pins.left > 0 && (
        <p className={styles.pinNote}>
          {pins.left} more findings have a place in this picture. Narrow the list to see their pins.
        </p>
      )}
    </section>
  );
}
