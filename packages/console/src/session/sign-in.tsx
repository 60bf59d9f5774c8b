import { type FormEvent, type ReactNode, useState } from 'react';
import styles from '../shell/app.module.css';
import icon from '../styles/icon.svg';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { TextInput } from '../ui/field.tsx';
import { useSignIn } from './session.tsx';
import { callSession } from './session-call.ts';
import { clientFor } from './session-fetch.ts';

function SignInForm({
  submitLabel,
  onSubmit,
  children,
}: {
  submitLabel: string;
  onSubmit: () => Promise<unknown>;
  children: ReactNode;
}) {
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await onSubmit();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {children}
      {failure !== undefined && <Failure error={failure} />}
      <Button type="submit" variant="primary" size="large" isPending={isBusy}>
        {submitLabel}
      </Button>
    </form>
  );
}

function MailForm() {
  const signIn = useSignIn();
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const [isSent, setSent] = useState(false);
  const send = async (): Promise<void> => {
    await callSession(clientFor(undefined), '/v2/session/mail', { email: email.trim() });
    setSent(true);
  };
  const change = (next: string): void => {
    setEmail(next);
    // Another address needs another mail.
    setSent(false);
    setCode('');
  };
  return (
    <SignInForm
      submitLabel={isSent ? 'Sign in' : 'Send a sign-in link'}
      onSubmit={() => (isSent ? signIn({ email: email.trim(), code: code.trim() }) : send())}
    >
      <TextInput label="Email" type="email" value={email} onChange={change} autoComplete="email" />
      {isSent && (
        <>
          <p role="status">
            If {email} belongs to an account, a link and a code are on their way. Both are valid for 15
            minutes.
          </p>
          <TextInput
            label="Code of the mail"
            value={code}
            onChange={setCode}
            isMono
            autoComplete="one-time-code"
          />
        </>
      )}
    </SignInForm>
  );
}

function WorkspaceForm() {
  const signIn = useSignIn();
  const [workspaceId, setWorkspaceId] = useState('');
  const [workspaceAuthToken, setToken] = useState('');
  return (
    <SignInForm submitLabel="Sign in" onSubmit={() => signIn({ workspaceId, workspaceAuthToken })}>
      <TextInput label="Workspace id" value={workspaceId} onChange={setWorkspaceId} isMono />
      <TextInput
        label="Auth token of the workspace"
        type="password"
        value={workspaceAuthToken}
        onChange={setToken}
        isMono
      />
    </SignInForm>
  );
}

/** The ways to get a session without a link at hand. */
export const SignInForms = () => (
  <>
    <MailForm />
    <details>
      <summary>Sign in with the token of a workspace</summary>
      <WorkspaceForm />
    </details>
  </>
);

/** The page of a visitor without a session. It says where the printed link is found. */
export function SignIn({ failure }: { failure?: unknown }) {
  return (
    <main className={styles.lone}>
      <div className={styles.panel}>
        <div className={styles.brand}>
          <img src={icon} alt="" /> Redpen
        </div>
        <h1>Sign in</h1>
        {failure !== undefined && <Failure error={failure} />}
        <SignInForms />
        <footer>
          The service prints a link when it starts on a terminal. Its operator gets a new one at any time with{' '}
          <code>npm run redpen -- console link</code>
        </footer>
      </div>
    </main>
  );
}
