import { ExternalLink, Maximize2, Minimize2 } from 'lucide-react';
import { memo, useCallback, useState } from 'react';
import { pathOf } from '../../../findings/finding-text.ts';
import { PagePicture } from '../../../findings/page-picture.tsx';
import { FileButton, IconButton } from '../../../ui/button.tsx';
import { CheckInput, SelectInput } from '../../../ui/field.tsx';
import { plural } from '../../../ui/time.ts';
import type { RunSearch } from '../run-search.ts';
import styles from './findings-tab.module.css';
import type { ShownPage, useFindingsView } from './use-findings-view.ts';

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
      <PictureHead
        url={page.url}
        pages={pages}
        isPageOnly={search.isPageOnly}
        hasPicture={page.screenshot !== undefined}
        isActualSize={isActualSize}
        onZoom={setActualSize}
        onSearch={onSearch}
      />
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
          This picture has places of {plural(pins.left, 'more finding')}. Narrow the list to see their pins.
        </p>
      )}
    </section>
  );
}

const PictureHead = memo(function PictureHead({
  url,
  pages,
  isPageOnly,
  hasPicture,
  isActualSize,
  onZoom,
  onSearch,
}: Pick<PicturePaneProps, 'onSearch'> & {
  url: string;
  pages: readonly ShownPage[];
  isPageOnly: boolean;
  hasPicture: boolean;
  isActualSize: boolean;
  onZoom: (isActualSize: boolean) => void;
}) {
  return (
    <header className={styles.pictureHead}>
      {pages.length > 1 ? (
        <>
          <div className={styles.pageSelect}>
            <SelectInput
              label="Page"
              isLabelHidden
              choices={pages.map((one) => ({ id: one.url, label: `${pathOf(one.url)} (${one.count})` }))}
              value={url}
              onChange={(page) => onSearch({ page, finding: undefined })}
            />
          </div>
          <CheckInput
            isSelected={isPageOnly}
            onChange={(isOnly) => onSearch({ isPageOnly: isOnly, page: url })}
          >
            Only this page
          </CheckInput>
        </>
      ) : (
        <code className={styles.pageName}>{url}</code>
      )}
      <span className={styles.tools}>
        {hasPicture && (
          <IconButton
            label={isActualSize ? 'Fit the width' : 'Show in actual size'}
            size="small"
            onPress={() => onZoom(!isActualSize)}
          >
            {isActualSize ? <Minimize2 /> : <Maximize2 />}
          </IconButton>
        )}
        <FileButton
          size="small"
          variant="quiet"
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open ${url}`}
        >
          <ExternalLink />
        </FileButton>
      </span>
    </header>
  );
});
