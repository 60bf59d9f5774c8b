import { AddressSearch } from '../../data/address-field.tsx';
import { CheckInput, SelectInput } from '../../ui/field.tsx';
import { shortAddress } from '../findings/inbox-rows.ts';
import type { ThreadSearch } from './thread-filter.ts';
import styles from './threads.module.css';
import type { ChangeThreads } from './use-threads.ts';

const STATES = [
  { id: 'open', label: 'Open' },
  { id: 'resolved', label: 'Done' },
  { id: 'all', label: 'Open and done' },
] as const;

const BY = [
  { id: 'all', label: 'By all' },
  { id: 'people', label: 'By people' },
  { id: 'agents', label: 'By agents' },
  { id: 'mine', label: 'By me' },
] as const;

/** What the list shows; all of it is in the address. */
export function ThreadFilters({
  search,
  change,
  pages,
}: {
  search: ThreadSearch;
  change: ChangeThreads;
  /** Pages that threads are about. */
  pages: readonly string[];
}) {
  const offered = search.page !== undefined && !pages.includes(search.page) ? [search.page, ...pages] : pages;
  return (
    <div className={styles.filters}>
      <AddressSearch
        label="Search threads"
        value={search.text ?? ''}
        onChange={(text) => change({ text: text || undefined })}
      />
      <div className={styles.select}>
        <SelectInput
          label="State"
          isLabelHidden
          choices={STATES}
          value={search.state ?? 'open'}
          onChange={(state) => change({ state: state === 'open' ? undefined : state })}
        />
      </div>
      <div className={styles.select}>
        <SelectInput
          label="Author"
          isLabelHidden
          choices={BY}
          value={search.by ?? 'all'}
          onChange={(by) => change({ by: by === 'all' ? undefined : by })}
        />
      </div>
      {offered.length > 0 && (
        <div className={styles.select}>
          <SelectInput
            label="Page"
            isLabelHidden
            choices={[
              { id: '', label: 'All pages' },
              ...offered.map((page) => ({ id: page, label: shortAddress(page) })),
            ]}
            value={search.page ?? ''}
            onChange={(page) => change({ page: page || undefined })}
          />
        </div>
      )}
      <CheckInput
        isSelected={search.unread ?? false}
        onChange={(isOn) => change({ unread: isOn ? true : undefined })}
      >
        Unread
      </CheckInput>
    </div>
  );
}
