import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import styles from './tabs.module.css';

/** Scrolls the list of tabs alone, so that the chosen one is seen where not all have room. */
function showTab(tab: HTMLElement | null): void {
  const list = tab?.parentElement;
  if (!tab || !list) return;
  const frame = list.getBoundingClientRect();
  const { left, right } = tab.getBoundingClientRect();
  if (right > frame.right) list.scrollBy({ left: right - frame.right });
  else if (left < frame.left) list.scrollBy({ left: left - frame.left });
}

/** Panels of which one shows. `segments` are choices within another such view. */
export function TabView<K extends string>({
  label,
  tabs,
  selected,
  onSelect,
  kind = 'tabs',
}: {
  label: string;
  tabs: readonly { id: K; title: ReactNode; content: ReactNode }[];
  selected?: K;
  onSelect?: (id: K) => void;
  kind?: 'tabs' | 'segments';
}) {
  return (
    <Tabs
      className={styles.tabs ?? ''}
      {...(selected !== undefined && { selectedKey: selected })}
      {...(onSelect && { onSelectionChange: (key) => onSelect(key as K) })}
    >
      <TabList aria-label={label} className={`${styles.list} ${kind === 'segments' ? styles.segments : ''}`}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab ?? ''} {...(id === selected && { ref: showTab })}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel ?? ''}>
          {content}
        </TabPanel>
      ))}
    </Tabs>
  );
}

/** Tabs that are pages of their own, with addresses. */
export const LinkTabs = ({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { to: string; title: string }[];
}) => (
  <nav aria-label={label} className={styles.list}>
    {tabs.map(({ to, title }) => (
      <Link key={to} to={to} className={styles.tab ?? ''} activeOptions={{ exact: true }}>
        {title}
      </Link>
    ))}
  </nav>
);

/** The name of a tab with the number of things in it, once that is known. */
export const TabName = ({ name, count }: { name: string; count: number | string | undefined }) => (
  <>
    {name}
    {count !== undefined && <span className={styles.count}>{count}</span>}
  </>
);
