import { Navigate } from '@tanstack/react-router';
import { useSession } from '../session/session.tsx';
import styles from './app.module.css';
import { pathOfKey } from './key-path.ts';

/** Leads from an address without an API key, such as `/console`, to a page of the first one of the session. */
export function FirstKey({ path = '' }: { path?: string }) {
  const { workspaces } = useSession();
  const key = workspaces.flatMap(({ apiKeys }) => apiKeys)[0];
  if (key) return <Navigate to={pathOfKey(key.apiKeyId, path)} replace />;
  return (
    <main className={styles.lone}>
      <div className={styles.panel}>
        <h1>No workspace yet</h1>
        <p>Your account is no member of a workspace. Ask the owner of one for an invitation.</p>
      </div>
    </main>
  );
}
