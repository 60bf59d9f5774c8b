import { createInterface } from 'node:readline';
import { HocuspocusProvider } from '@hocuspocus/provider';

// Opens a live editor as a page would: shows its text whenever it changes, and adds the lines that are typed.
const [name = 'acme/website/notes'] = process.argv.slice(2);
const { USER_TOKEN, REDPEN_URL = 'ws://127.0.0.1:8080/v2/realtime' } = process.env;
if (!USER_TOKEN) throw new Error('Set USER_TOKEN to a token of auth/generate_token.');

const provider = new HocuspocusProvider({
  url: REDPEN_URL,
  name,
  token: USER_TOKEN,
  onAuthenticationFailed: ({ reason }) => {
    console.error(`Refused: ${reason}`);
    process.exit(1);
  },
  onSynced: () => console.log(`Open, ${provider.authorizedScope}. Type lines to add them.`),
});
const text = provider.document.getText('content');
text.observe(() => console.log(`--- ${name}\n${text.toString()}`));

createInterface({ input: process.stdin }).on('line', (line) => text.insert(text.length, `${line}\n`));
