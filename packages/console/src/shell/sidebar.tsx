import { Link } from '@tanstack/react-router';
import { BookOpen, Search } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import icon from '../styles/icon.svg';
import styles from './app.module.css';
import { useKeyPath } from './key-path.ts';
import { DESTINATIONS } from './navigation.ts';
import { AccountName, KeyName } from './sidebar-names.tsx';

// Menus are a large part of the controls, and no page needs them at first.
const KeySwitcher = lazy(async () => ({ default: (await import('./sidebar-menus.tsx')).KeySwitcher }));
const AccountMenu = lazy(async () => ({ default: (await import('./sidebar-menus.tsx')).AccountMenu }));

/** Holds the place of a menu until it is loaded. */
const Face = ({ name }: { name: ReactNode }) => <div className={styles.switcher}>{name}</div>;

/** The pages of the console, and what is true on all of them: key, account and theme. */
export function Sidebar({ onFind, onLeave }: { onFind: () => void; onLeave: () => void }) {
  const to = useKeyPath();
  return (
    <>
      <div className={styles.brand}>
        <img src={icon} alt="" /> Redpen
      </div>
      <Suspense fallback={<Face name={<KeyName />} />}>
        <KeySwitcher />
      </Suspense>
      <button type="button" className={styles.find} onClick={onFind}>
        <Search size={15} aria-hidden /> Find or go to <kbd>Ctrl K</kbd>
      </button>
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
          <BookOpen size={16} aria-hidden /> API reference
        </a>
        <Suspense fallback={<Face name={<AccountName />} />}>
          <AccountMenu />
        </Suspense>
      </div>
    </>
  );
}
