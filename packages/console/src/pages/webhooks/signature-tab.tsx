import { unwrap } from '@redpen/client/webhooks';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CheckInput, TextInput } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { headersIn, missingHeaders } from './header-lines.ts';
import styles from './webhooks.module.css';

type Verdict = { isGenuine: true; message: unknown } | { isGenuine: false; reason: string };

/** The age up to which messages are accepted if their age is not to matter: a century. */
const ANY_AGE_SECONDS = 3_200_000_000;

/** Verifies a message with the code that receivers use. Nothing leaves the browser. */
export function SignatureTab() {
  const [body, setBody] = useState('');
  const [headers, setHeaders] = useState('');
  const [secret, setSecret] = useState('');
  const [privateKey, setPrivateKey] = useState('');
  const [takesOld, setTakesOld] = useState(true);
  const [verdict, setVerdict] = useState<Verdict>();
  const check = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setVerdict(await verdictOn({ body, headers, secret, privateKey, takesOld }));
  };
  return (
    <Card
      title="Is this message from Redpen?"
      lead="It is checked in your browser with @redpen/client/webhooks. Nothing is sent anywhere."
    >
      <form className={styles.stack} onSubmit={(event) => void check(event)} noValidate>
        <div className={styles.two}>
          <TextInput
            label="Body"
            rows={9}
            isMono
            hint="The bytes as received: JSON that was parsed and printed again has another signature."
            value={body}
            onChange={setBody}
          />
          <TextInput
            label="Headers"
            rows={9}
            isMono
            placeholder={'webhook-id: evt_…\nwebhook-timestamp: 1767260000\nwebhook-signature: v1,…'}
            hint="Lines, flags of curl, or JSON. Others than these three are ignored."
            value={headers}
            onChange={setHeaders}
          />
        </div>
        <TextInput
          label="Secret"
          type="password"
          isMono
          placeholder="whsec_…"
          value={secret}
          onChange={setSecret}
        />
        <details className={styles.more}>
          <summary>The message is encrypted</summary>
          <TextInput
            label="Private key"
            rows={5}
            isMono
            hint="PEM in the form of PKCS #8. It stays in this page."
            value={privateKey}
            onChange={setPrivateKey}
          />
        </details>
        <CheckInput isSelected={takesOld} onChange={setTakesOld}>
          Also accept messages that are older than five minutes, which receivers refuse
        </CheckInput>
        <div className={styles.row}>
          <Button type="submit" variant="primary">
            Check the signature
          </Button>
        </div>
      </form>
      {verdict && <VerdictView verdict={verdict} />}
    </Card>
  );
}

function VerdictView({ verdict }: { verdict: Verdict }) {
  if (!verdict.isGenuine)
    return (
      <p className={`${styles.verdict} ${styles.wrong}`} role="status">
        Not verified: {verdict.reason}
      </p>
    );
  return (
    <>
      <p className={`${styles.verdict} ${styles.genuine}`} role="status">
        Verified: this body was signed with this secret.
      </p>
      <CodeBlock label="Message" code={JSON.stringify(verdict.message, null, 2)} />
    </>
  );
}

async function verdictOn(typed: {
  body: string;
  headers: string;
  secret: string;
  privateKey: string;
  takesOld: boolean;
}): Promise<Verdict> {
  const headers = headersIn(typed.headers);
  const missing = missingHeaders(headers);
  if (missing.length > 0) return { isGenuine: false, reason: `the headers lack ${missing.join(' and ')}.` };
  const secrets = typed.secret.split(/\s+/).filter(Boolean);
  if (secrets.length === 0) return { isGenuine: false, reason: 'type the secret of the endpoint.' };
  try {
    const message = await unwrap(typed.body, headers, secrets, {
      ...(typed.privateKey.trim() && { privateKey: typed.privateKey }),
      ...(typed.takesOld && { toleranceSeconds: ANY_AGE_SECONDS }),
    });
    return { isGenuine: true, message };
  } catch (error) {
    return { isGenuine: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
