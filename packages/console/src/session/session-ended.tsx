import type { ConsoleSession } from '@redpen/client';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import styles from '../shell/app.module.css';
import icon from '../styles/icon.svg';
import { Button } from '../ui/button.tsx';
import { Row } from '../ui/stack.tsx';
import { useLeave } from './session.tsx';
import ended from './session-ended.module.css';
import { SignInForms } from './sign-in.tsx';

/**
 * Covers the pages of a session that has ended until the person signs in again. They stay mounted below it, with everything
 * that was written on them; nothing of them shows through, since another person may sit here by now.
 */
export function SessionEnded({ session: { account } }: { session: ConsoleSession }) {
  const leave = useLeave();
  return (
    <ModalOverlay isOpen isKeyboardDismissDisabled className={`${styles.lone} ${ended.cover}`}>
      <Modal className={styles.panel ?? ''}>
        <Dialog role="alertdialog" className={`${styles.panel} ${ended.dialog}`}>
          <div className={styles.brand}>
            <img src={icon} alt="" /> Redpen
          </div>
          <Heading slot="title" level={1}>
            Your session has ended
          </Heading>
          <p>
            Sign in again as {account.email ?? account.name}: the page and what you have written on it are
            still there. You can also open a sign-in link in another tab.
          </p>
          <SignInForms />
          <footer>
            <Row>
              Not {account.name}?
              <Button size="small" onPress={leave}>
                Discard and leave
              </Button>
            </Row>
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
