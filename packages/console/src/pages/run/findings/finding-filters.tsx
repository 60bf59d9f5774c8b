import type { ReviewRecord, Severity } from '@redpen/client';
import { SEVERITIES } from '@redpen/elements/theme/severities';
import { memo } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { AddressSearch } from '../../../data/address-field.tsx';
import { SeverityBadge } from '../../../ui/badge.tsx';
import { SelectInput } from '../../../ui/field.tsx';
import { type RunSearch, SHOWN, type Shown } from '../run-search.ts';
import styles from './findings-tab.module.css';
import type { useFindingsView } from './use-findings-view.ts';

const WORDS: Record<Shown, string> = {
  open: 'Open',
  new: 'New',
  decided: 'Decided',
  all: 'Open and decided',
};

/** Narrows the list of findings. */
export const FindingFilters = memo(function FindingFilters({
  agents: known,
  isCompared,
  bySeverity,
  search,
  onSearch,
}: {
  agents: ReviewRecord['agents'];
  isCompared: boolean;
  bySeverity: ReturnType<typeof useFindingsView>['bySeverity'];
  search: RunSearch;
  onSearch: (change: Partial<RunSearch>) => void;
}) {
  const agents = [
    { id: '', label: 'All agents' },
    ...known.map(({ agentId, name }) => ({ id: agentId, label: name })),
  ];
  const shown = SHOWN.filter((one) => one !== 'new' || isCompared || search.shown === 'new');
  return (
    <div className={styles.filters}>
      <AddressSearch label="Find in findings" value={search.text} onChange={(text) => onSearch({ text })} />
      <div className={styles.select}>
        <SelectInput
          label="Decision"
          isLabelHidden
          choices={shown.map((id) => ({ id, label: WORDS[id] }))}
          value={search.shown}
          onChange={(next) => onSearch({ shown: next })}
        />
      </div>
      {agents.length > 2 && (
        <div className={styles.select}>
          <SelectInput
            label="Agent"
            isLabelHidden
            choices={agents}
            value={search.agent ?? ''}
            onChange={(agent) => onSearch({ agent: agent || undefined })}
          />
        </div>
      )}
      <ToggleButtonGroup
        aria-label="Severities"
        selectionMode="multiple"
        className={styles.severities ?? ''}
        selectedKeys={search.severity}
        onSelectionChange={(keys) => onSearch({ severity: [...keys] as Severity[] })}
      >
        {SEVERITIES.filter((one) => bySeverity.has(one) || search.severity.includes(one)).map((one) => (
          <ToggleButton key={one} id={one} className={styles.severity ?? ''}>
            <SeverityBadge severity={one} count={bySeverity.get(one)?.length ?? 0} />
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
});
