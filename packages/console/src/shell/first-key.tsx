import { Navigate } from '@tanstack/react-router';
import { useSession } from '../session/session.tsx';
import styles from './app.module.css';
import { pathOfKey } from './key-path.ts';

/** Leads from `/console` to the first API key of the session. */
export function FirstKey() {
  const { workspaces } = useSession();
  const key = workspaces.flatMap(({ apiKeys }) => apiKeys)[0];
  if (key) return <Navigate to={pathOfKey(key.apiKeyId, '')} replace />;
  return (
    <main className={styles.lone}>
      <div className={styles.panel}>
        <h1>No workspace yet</h1>
        <p>Your account is no member of a workspace. Ask the owner of one for an invitation.</p>
      </div>
    </main>
  );
}
