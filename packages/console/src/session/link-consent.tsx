import { useState } from 'react';
import styles from '../shell/app.module.css';
import icon from '../styles/icon.svg';
import { Button } from '../ui/button.tsx';
import { Row } from '../ui/stack.tsx';
import { startSession } from './start-session.ts';

/**
 * Asks before a link of a mail or an invitation is used up. Programs that check mail open links before the person does, and
 * another person can send their own.
 */
export function LinkConsent({ code, onDone }: { code: string; onDone: (failure?: unknown) => void }) {
  const [isBusy, setBusy] = useState(false);
  const isInvitation = code.startsWith('rpi_');
  const use = async (): Promise<void> => {
    setBusy(true);
    onDone(await startSession(code));
  };
  return (
    <main className={styles.lone}>
      <div className={styles.panel}>
        <div className={styles.brand}>
          <img src={icon} alt="" /> Redpen
        </div>
        <h1>{isInvitation ? 'Join a workspace' : 'Sign in'}</h1>
        <p>
          {isInvitation
            ? 'This link is an invitation. It adds a workspace to the account that is signed in here, or to a new one; its members then see the name and email address of the account.'
            : 'This link was mailed to you and signs in once. A session that this browser has ends.'}
        </p>
        <Row>
          <Button variant="primary" isPending={isBusy} onPress={() => void use()}>
            {isInvitation ? 'Join' : 'Sign in'}
          </Button>
          <Button isDisabled={isBusy} onPress={() => onDone()}>
            Cancel
          </Button>
        </Row>
      </div>
    </main>
  );
}
