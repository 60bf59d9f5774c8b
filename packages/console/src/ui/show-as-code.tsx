import { Code } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { CodeBlock } from './code-block.tsx';
import { ModalDialog } from './dialog.tsx';
import styles from './show-as-code.module.css';
import { TabView } from './tabs.tsx';

export interface Call {
  /** What it does, as a heading. */
  title: string;
  /** The path of the operation, such as `/v2/reviews/run`. */
  path: string;
  /** The name in the client, such as `reviews.run`. */
  name: string;
  data: unknown;
}

const curlOf = ({ path, data }: Call): string =>
  [
    `curl ${location.origin}${path} \\`,
    `  -H 'content-type: application/json' \\`,
    `  -H "x-service-api-key: $REDPEN_API_KEY" -H "x-service-auth-token: $REDPEN_AUTH_TOKEN" \\`,
    `  -d '${JSON.stringify({ data }).replaceAll("'", "'\\''")}'`,
  ].join('\n');

const clientOf = ({ name, data }: Call): string =>
  `const answer = await redpen.${name}(${JSON.stringify(data, null, 2)});`;

/** A button that shows the requests behind a page, so that the page teaches the API. */
export function ShowAsCode({ calls }: { calls: readonly Call[] }) {
  const [isOpen, setOpen] = useState(false);
  const panel = (print: (call: Call) => string) =>
    calls.map((call) => (
      <section key={call.title}>
        <h3>{call.title}</h3>
        <CodeBlock label={call.title} code={print(call)} />
      </section>
    ));
  return (
    <>
      <Button variant="quiet" aria-label="Show as code" onPress={() => setOpen(true)}>
        <Code /> <span className={styles.words}>Show as code</span>
      </Button>
      <ModalDialog title="Show as code" kind="wide" isOpen={isOpen} onClose={() => setOpen(false)}>
        <TabView
          label="Language"
          tabs={[
            { id: 'curl', title: 'curl', content: panel(curlOf) },
            { id: 'client', title: '@redpen/client', content: panel(clientOf) },
          ]}
        />
      </ModalDialog>
    </>
  );
}
