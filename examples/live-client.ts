import { createInterface } from 'node:readline';
import { HocuspocusProvider } from '@hocuspocus/provider';
import { readsTerminal } from './reads-terminal.ts';

// Opens a live editor as a page would: prints its text whenever it changes, and adds the lines that are typed.
const [name = 'acme/website/notes'] = process.argv.slice(2);
const { REDPEN_USER_TOKEN, REDPEN_URL = 'http://127.0.0.1:8080' } = process.env;
if (!REDPEN_USER_TOKEN) {
  console.error(
    'Set REDPEN_USER_TOKEN to the token of a user: "npm run redpen -- user-token KEY USER" prints it.',
  );
  process.exit(1);
}

const provider = new HocuspocusProvider({
  url: new URL('/v2/realtime', REDPEN_URL.replace(/^http/, 'ws')).href,
  name,
  token: REDPEN_USER_TOKEN,
  onAuthenticationFailed: ({ reason }) => {
    console.error(`${name} is refused: ${reason}`);
    process.exit(1);
  },
  onSynced: () => {
    console.log(`${name} is open, ${provider.authorizedScope}.`);
    show();
  },
});
const text = provider.document.getText('content');
const show = () => console.log(text.toString().replaceAll(/^/gm, '  | '));
text.observe(() => provider.synced && show());

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => text.insert(text.length, `${line}\n`));
// The system stops a background job of a shell that reads from its terminal.
const readWhereAllowed = () => (readsTerminal() ? lines.resume() : lines.pause());
process.on('SIGCONT', readWhereAllowed);
readWhereAllowed();
