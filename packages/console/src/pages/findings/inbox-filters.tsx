import type { Severity } from '@redpen/client';
import { SEVERITIES } from '@redpen/elements/theme/severities';
import { ListFilter, X } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover, ToggleButton } from 'react-aria-components';
import { AddressSearch } from '../../data/address-field.tsx';
import { SeverityBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type Choice, SelectInput, TextInput } from '../../ui/field.tsx';
import menuStyles from '../../ui/menu.module.css';
import {
  type DecisionFilter,
  type Grouping,
  type InboxSearch,
  NARROWING,
  type StateFilter,
} from './finding-filter.ts';
import styles from './findings.module.css';
import { shortAddress } from './inbox-rows.ts';
import { useChoices } from './use-inbox.ts';

export type Change = (changes: { [K in keyof InboxSearch]?: InboxSearch[K] | undefined }) => void;

const DECISION_CHOICES: readonly Choice<DecisionFilter>[] = [
  { id: 'open', label: 'Open', hint: 'Undecided and accepted' },
  { id: 'undecided', label: 'Undecided' },
  { id: 'accepted', label: 'Accepted' },
  { id: 'rejected', label: 'Rejected' },
  { id: 'resolved', label: 'Resolved' },
  { id: 'all', label: 'All decisions' },
];

const GROUP_CHOICES: readonly Choice<Grouping>[] = [
  { id: 'cause', label: 'By cause' },
  { id: 'none', label: 'One by one' },
];

const STATE_CHOICES: readonly Choice<StateFilter>[] = [
  { id: 'there', label: 'Still there', hint: 'In the last run' },
  { id: 'new', label: 'New in the last run' },
  { id: 'still_there', label: 'Seen before the last run' },
  { id: 'fixed', label: 'Fixed' },
  { id: 'all', label: 'All' },
];

const TIME_CHOICES: readonly Choice<'' | '1' | '7' | '30' | '90'>[] = [
  { id: '', label: 'Any time' },
  { id: '1', label: 'Last day' },
  { id: '7', label: 'Last 7 days' },
  { id: '30', label: 'Last 30 days' },
  { id: '90', label: 'Last 90 days' },
];

const ANY: Choice = { id: '', label: 'Any' };

function SeverityFilter({ search, change }: { search: InboxSearch; change: Change }) {
  const chosen = search.severity ?? [];
  const turn = (severity: Severity, isOn: boolean) => {
    const next = SEVERITIES.filter((one) => (one === severity ? isOn : chosen.includes(one)));
    change({ severity: next.length > 0 ? next : undefined });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row of filters.
    <div role="group" aria-label="Severities" className={styles.severities}>
      {SEVERITIES.map((severity) => (
        <ToggleButton
          key={severity}
          className={styles.toggle ?? ''}
          isSelected={chosen.includes(severity)}
          onChange={(isOn) => turn(severity, isOn)}
        >
          <SeverityBadge severity={severity} />
        </ToggleButton>
      ))}
    </div>
  );
}

function MoreFilters({ search, change }: { search: InboxSearch; change: Change }) {
  const { organizations, documents, agents, rules, error, retry } = useChoices(search.organization);
  const [page, setPage] = useState(search.page ?? '');
  useEffect(() => setPage(search.page ?? ''), [search.page]);
  const isWrongPage = page !== '' && !URL.canParse(page);
  const choose =
    (field: 'organization' | 'document' | 'agent' | 'rule') =>
    (id: string): void =>
      change({
        [field]: id || undefined,
        ...(field === 'organization' && { document: undefined }),
      });
  const choice = (label: string, field: 'organization' | 'document' | 'agent' | 'rule', of: Choice[]) => (
    <SelectInput
      label={label}
      choices={[ANY, ...of]}
      value={search[field] ?? ''}
      onChange={choose(field)}
      isDisabled={field === 'document' && search.organization === undefined}
    />
  );
  return (
    <form
      className={styles.more}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrongPage) change({ page: page || undefined });
      }}
    >
      {error && (
        <Failure error={error} onRetry={() => void retry()}>
          <p>Some choices are missing.</p>
        </Failure>
      )}
      {choice('Organization', 'organization', organizations)}
      {choice('Document', 'document', documents)}
      {choice('Agent', 'agent', agents)}
      {choice('Rule', 'rule', rules)}
      <SelectInput
        label="On the page"
        choices={STATE_CHOICES}
        value={search.state ?? 'there'}
        onChange={(state) => change({ state: state === 'there' ? undefined : state })}
      />
      <SelectInput
        label="Last seen"
        choices={TIME_CHOICES}
        value={(search.days ? `${search.days}` : '') as '' | '1'}
        onChange={(days) => change({ days: days ? Number(days) : undefined })}
      />
      <TextInput
        label="Page"
        type="url"
        value={page}
        onChange={setPage}
        placeholder="https://example.com/prices"
        error={isWrongPage ? 'Write the whole address, with https://' : undefined}
        hint="Enter applies it."
      />
    </form>
  );
}

function chipText(search: InboxSearch, field: (typeof NARROWING)[number], names: Names): string {
  const value = String(search[field]);
  switch (field) {
    case 'organization':
      return names.organizations.find(({ id }) => id === value)?.label ?? value;
    case 'document':
      return names.documents.find(({ id }) => id === value)?.label ?? value;
    case 'agent':
      return names.agents.find(({ id }) => id === value)?.label ?? value;
    case 'rule':
      return names.rules.find(({ id }) => id === value)?.label ?? value;
    case 'page':
      return `Page ${shortAddress(value)}`;
    case 'run':
      return 'One run';
    case 'state':
      return STATE_CHOICES.find(({ id }) => id === value)?.label ?? value;
    case 'days':
      return TIME_CHOICES.find(({ id }) => id === value)?.label ?? `Last ${value} days`;
  }
}
type Names = ReturnType<typeof useChoices>;

/** The filters that the bar itself does not show, each with a button that removes it. */
function Chips({ search, change }: { search: InboxSearch; change: Change }) {
  const names = useChoices(search.organization);
  const fields = NARROWING.filter((field) => search[field] !== undefined);
  if (fields.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Filters">
      {fields.map((field) => {
        const text = chipText(search, field, names);
        return (
          <li key={field}>
            <AriaButton
              className={styles.chip ?? ''}
              aria-label={`Remove the filter ${text}`}
              onPress={() =>
                change({ [field]: undefined, ...(field === 'organization' && { document: undefined }) })
              }
            >
              {text} <X size={14} aria-hidden />
            </AriaButton>
          </li>
        );
      })}
    </ul>
  );
}

/** What the list shows; all of it is in the address. It stays as it is while rows are selected. */
export const InboxFilters = memo(function InboxFilters({
  search,
  change,
}: {
  search: InboxSearch;
  change: Change;
}) {
  return (
    <div className={styles.filters}>
      <div className={styles.bar}>
        <AddressSearch
          label="Search findings"
          value={search.text ?? ''}
          onChange={(text) => change({ text: text || undefined })}
        />
        <div className={styles.select}>
          <SelectInput
            label="Decision"
            isLabelHidden
            choices={DECISION_CHOICES}
            value={search.decision ?? 'open'}
            onChange={(decision) => change({ decision: decision === 'open' ? undefined : decision })}
          />
        </div>
        <div className={styles.select}>
          <SelectInput
            label="Grouping"
            isLabelHidden
            choices={GROUP_CHOICES}
            value={search.group ?? 'cause'}
            onChange={(group) => change({ group: group === 'cause' ? undefined : group })}
          />
        </div>
        <DialogTrigger>
          <Button>
            <ListFilter /> Filter
          </Button>
          <Popover className={menuStyles.popover ?? ''} placement="bottom end" offset={4}>
            <Dialog aria-label="More filters" className={styles.popover ?? ''}>
              <MoreFilters search={search} change={change} />
            </Dialog>
          </Popover>
        </DialogTrigger>
        <SeverityFilter search={search} change={change} />
      </div>
      <Chips search={search} change={change} />
    </div>
  );
});
