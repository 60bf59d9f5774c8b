import { useNavigate } from '@tanstack/react-router';
import { CircleUserRound, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useSession, useSignOut } from '../session/session.tsx';
import { ActionMenu } from '../ui/menu.tsx';
import { announce } from '../ui/toasts.tsx';
import styles from './app.module.css';
import { pathOfKey, useKeyPath } from './key-path.ts';
import { AccountName, KeyName } from './sidebar-names.tsx';
import { applyTheme, readTheme, type Theme } from './theme.ts';

const THEMES: readonly { id: Theme; label: string; icon: typeof Sun }[] = [
  { id: 'system', label: 'Theme of the system', icon: Monitor },
  { id: 'light', label: 'Light theme', icon: Sun },
  { id: 'dark', label: 'Dark theme', icon: Moon },
];

/** Chooses the API key whose data the pages show. */
export function KeySwitcher() {
  const { workspaces } = useSession();
  const navigate = useNavigate();
  const entries = workspaces.flatMap((one) =>
    one.apiKeys.map(({ apiKeyId, name }) => ({
      id: apiKeyId,
      label: name,
      hint: one.name,
      onAction: () => void navigate({ to: pathOfKey(apiKeyId, '') }),
    })),
  );
  return (
    <ActionMenu
      label="API keys"
      entries={entries}
      trigger={
        <Button className={styles.switcher ?? ''}>
          <KeyName />
        </Button>
      }
    />
  );
}

/** What concerns the person: account, theme, and the way out. */
export function AccountMenu() {
  const to = useKeyPath();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const [theme, setTheme] = useState(readTheme);
  const leave = () =>
    void signOut().catch((error: Error) => announce(`You are still signed in: ${error.message}`));
  return (
    <ActionMenu
      label="Account"
      entries={[
        {
          id: 'account',
          label: 'Your account and sessions',
          icon: <CircleUserRound size={16} />,
          onAction: () => void navigate({ to: to('/settings'), search: { tab: 'account' } as never }),
        },
        ...THEMES.map(({ id, label, icon: Icon }) => ({
          id,
          label: id === theme ? `${label} ✓` : label,
          icon: <Icon size={16} />,
          onAction: () => {
            applyTheme(id);
            setTheme(id);
          },
        })),
        { id: 'out', label: 'Sign out', icon: <LogOut size={16} />, onAction: leave },
      ]}
      trigger={
        <Button className={styles.switcher ?? ''}>
          <AccountName />
        </Button>
      }
    />
  );
}
