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
        <h1>{isInvitation ? 'Join a workspace' : 'Sign in with this link?'}</h1>
        <p>
          {isInvitation
            ? 'The link adds a workspace to the account that is signed in here; without one, it makes an account. The members of the workspace see the name and email address of the account.'
            : 'The link was mailed to you and works once. If this browser is signed in already, that session ends.'}
        </p>
        <Row>
          <Button variant="primary" size="large" isPending={isBusy} onPress={() => void use()}>
            {isInvitation ? 'Join' : 'Sign in'}
          </Button>
          <Button size="large" isDisabled={isBusy} onPress={() => onDone()}>
            Cancel
          </Button>
        </Row>
      </div>
    </main>
  );
}
