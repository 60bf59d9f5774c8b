import type { ReactElement, ReactNode } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components';
import styles from './menu.module.css';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: ReactNode;
  hint?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  onAction(): void;
}

/** A menu of actions that `trigger`, a button, opens. */
export function ActionMenu({
  trigger,
  label,
  entries,
}: {
  trigger: ReactElement;
  label: string;
  entries: readonly (MenuEntry | false | undefined)[];
}) {
  const items = entries.filter((entry): entry is MenuEntry => Boolean(entry));
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ''} offset={4}>
        <Menu className={styles.list ?? ''} aria-label={label} items={items}>
          {({ id, label: text, icon, hint, isDanger, isDisabled, onAction }) => (
            <MenuItem
              id={id}
              textValue={text}
              className={`${styles.item} ${isDanger ? styles.danger : ''}`}
              isDisabled={isDisabled ?? false}
              onAction={onAction}
            >
              {icon}
              <Text slot="label">{text}</Text>
              {hint && (
                <Text slot="description" className={styles.hint ?? ''}>
                  {hint}
                </Text>
              )}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
