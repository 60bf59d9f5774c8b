import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, CircleUserRound, LogOut, Monitor, Moon, Search, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useKey, useSession, useSignOut } from '../session/session.tsx';
import icon from '../styles/icon.svg';
import { ActionMenu } from '../ui/menu.tsx';
import styles from './app.module.css';
import { pathOfKey, useKeyPath } from './key-path.ts';
import { DESTINATIONS } from './navigation.ts';
import { applyTheme, readTheme, type Theme } from './theme.ts';

const THEMES: readonly { id: Theme; label: string; icon: typeof Sun }[] = [
  { id: 'system', label: 'Theme of the system', icon: Monitor },
  { id: 'light', label: 'Light theme', icon: Sun },
  { id: 'dark', label: 'Dark theme', icon: Moon },
];

/** Chooses the API key whose data the pages show. */
function KeySwitcher() {
  const { workspaces } = useSession();
  const { key, workspace } = useKey();
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
          <span>
            <span className="visually-hidden">API key: </span>
            <b>{workspace.name}</b>
            <small>{key.name}</small>
          </span>
          <ChevronsUpDown size={16} aria-hidden />
        </Button>
      }
    />
  );
}

function AccountMenu() {
  const { account } = useSession();
  const to = useKeyPath();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const [theme, setTheme] = useState(readTheme);
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
        { id: 'out', label: 'Sign out', icon: <LogOut size={16} />, onAction: () => void signOut() },
      ]}
      trigger={
        <Button className={styles.switcher ?? ''}>
          <CircleUserRound size={18} aria-hidden />
          <span>
            <span className="visually-hidden">Account: </span>
            <b>{account.name}</b>
            {account.email && <small>{account.email}</small>}
          </span>
        </Button>
      }
    />
  );
}

/** The pages of the console, and what is true on all of them: key, account and theme. */
export function Sidebar({ onFind, onLeave }: { onFind: () => void; onLeave: () => void }) {
  const to = useKeyPath();
  return (
    <>
      <div className={styles.brand}>
        <img src={icon} alt="" /> Redpen
      </div>
      <KeySwitcher />
      <Button className={styles.find ?? ''} onPress={onFind}>
        <Search size={15} aria-hidden /> Find or go to <kbd>Ctrl K</kbd>
      </Button>
      <nav aria-label="Pages" onClick={onLeave} onKeyUp={() => {}}>
        {DESTINATIONS.map(({ label, destinations }) => (
          <div key={label} className={styles.group}>
            <h2>{label}</h2>
            {destinations.map(({ path, label: text, icon: Icon }) => (
              <Link
                key={path}
                to={to(path)}
                className={styles.link ?? ''}
                activeOptions={{ exact: path === '', includeSearch: false }}
              >
                <Icon size={16} aria-hidden /> {text}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className={styles.foot}>
        <a className={styles.link} href="/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
        <AccountMenu />
      </div>
    </>
  );
}
