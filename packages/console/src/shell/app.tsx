import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { Menu } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  KeyProvider,
  SessionProvider,
  useKeyIfKnown,
  useSession,
  useSessionQuery,
} from '../session/session.tsx';
import { classOf, LinkButton } from '../ui/link-button.tsx';
import { Loading } from '../ui/page.tsx';
import styles from './app.module.css';
import { HoldKeys } from './hold-keys.ts';
import { useKeptFocus } from './keep-focus.ts';
import { useShortcuts } from './shortcuts.ts';
import { Sidebar } from './sidebar.tsx';

// Loaded when they are needed, so that the first page is there sooner.
const SignIn = lazy(async () => ({ default: (await import('../session/sign-in.tsx')).SignIn }));
const loadSessionEnded = () => import('../session/session-ended.tsx');
const SessionEnded = lazy(async () => ({ default: (await loadSessionEnded()).SessionEnded }));
const Failure = lazy(async () => ({ default: (await import('../ui/failure.tsx')).Failure }));
const Toasts = lazy(async () => ({ default: (await import('../ui/toasts.tsx')).Toasts }));
const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));
const ShortcutHelp = lazy(async () => ({ default: (await import('./shortcut-help.tsx')).ShortcutHelp }));

/** Shows the page to members with a session, and the sign-in page to others. */
export function App({ signInFailure }: { signInFailure?: unknown }) {
  const { data, error, refetch } = useSessionQuery();
  const session = data?.session;
  const [failure, setFailure] = useState(signInFailure);
  useEffect(() => {
    if (!session) return;
    // A link that failed is no matter after another sign-in.
    setFailure(undefined);
    // The service may be away, or another version, when it is needed.
    void loadSessionEnded().catch(() => {});
  }, [session]);
  if (session) {
    return (
      <SessionProvider key={session.account.accountId} session={session}>
        <Outlet />
        <Suspense>
          {data?.hasEnded && <SessionEnded session={session} />}
          <Toasts />
        </Suspense>
      </SessionProvider>
    );
  }
  if (session === null) {
    return (
      <Suspense>
        <SignIn failure={failure} />
      </Suspense>
    );
  }
  return (
    <main className={styles.lone}>
      <div className={styles.panel}>
        {error ? (
          <Suspense>
            <Failure error={error} onRetry={() => void refetch()} />
          </Suspense>
        ) : (
          <Loading rows={3} />
        )}
      </div>
    </main>
  );
}

/** The frame of the pages of an API key. */
export function KeyLayout() {
  const { keyId } = useParams({ strict: false }) as { keyId: string };
  return (
    <KeyProvider apiKeyId={keyId}>
      <KeyFrame keyId={keyId} />
    </KeyProvider>
  );
}

/** The navigation of narrow windows, which lies over the page. It takes the focus, and gives it back. */
function useDrawer() {
  const [isNavigating, setNavigating] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const side = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation closes when the page changes.
  useEffect(() => setNavigating(false), [pathname]);
  useEffect(() => {
    if (!isNavigating) return;
    const [drawer, button] = [side.current, opener.current];
    drawer?.focus();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) setNavigating(false);
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      if (drawer?.contains(document.activeElement)) button?.focus();
    };
  }, [isNavigating]);
  return { isNavigating, setNavigating, opener, side };
}

function KeyFrame({ keyId }: { keyId: string }) {
  const known = useKeyIfKnown();
  const [opened, setOpened] = useState<'palette' | 'help'>();
  const typed = useRef('');
  const { isNavigating, setNavigating, opener, side } = useDrawer();
  const find = useCallback(() => {
    typed.current = '';
    setOpened('palette');
  }, []);
  const close = useCallback(() => setOpened(undefined), []);
  const shortcuts = useMemo(() => ({ 'mod+k': find, '?': () => setOpened('help') }), [find]);
  // The palette would open below what covers the page of an ended session.
  const { data } = useSessionQuery();
  useShortcuts(shortcuts, known !== undefined && !data?.hasEnded);
  useKeptFocus();
  if (!known) return <UnknownKey keyId={keyId} />;
  return (
    <div className={styles.app}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <header className={styles.bar}>
        <button
          ref={opener}
          type="button"
          className={classOf({ variant: 'quiet' }, true)}
          aria-label="Show the pages"
          aria-expanded={isNavigating}
          onClick={() => setNavigating(true)}
        >
          <Menu />
        </button>
        <b>{known.workspace.name}</b>
      </header>
      {isNavigating && (
        <button
          type="button"
          className={styles.shade}
          aria-label="Hide the pages"
          onClick={() => setNavigating(false)}
        />
      )}
      <aside
        ref={side}
        tabIndex={-1}
        className={styles.side}
        data-open={isNavigating || undefined}
        aria-label="Navigation"
      >
        <Sidebar onFind={find} onLeave={() => setNavigating(false)} />
      </aside>
      <main className={styles.main} id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense fallback={<HoldKeys typed={typed} onClose={close} />}>
        {opened === 'palette' && <CommandPalette typed={typed} onClose={close} />}
        {opened === 'help' && <ShortcutHelp onClose={close} />}
      </Suspense>
    </div>
  );
}

function UnknownKey({ keyId }: { keyId: string }) {
  const { account } = useSession();
  return (
    <main className={styles.lone}>
      <div className={styles.panel}>
        <h1>This key is not yours to see</h1>
        <p>
          The account {account.email ?? account.name} is no member of a workspace with the API key{' '}
          <code>{keyId}</code>.
        </p>
        <LinkButton to="/" variant="primary">
          Show my keys
        </LinkButton>
      </div>
    </main>
  );
}
