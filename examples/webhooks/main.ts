import { readFileSync } from 'node:fs';
import { createReceiver } from './receiver.ts';

const { WEBHOOK_SECRET, WEBHOOK_PRIVATE_KEY_FILE, PORT = '4000' } = process.env;
if (!WEBHOOK_SECRET) throw new Error('Set WEBHOOK_SECRET to the secret of the endpoint.');

// A table with the id as its primary key, where it is not for a look only.
const kept = new Set<string>();

createReceiver({
  secret: WEBHOOK_SECRET,
  ...(WEBHOOK_PRIVATE_KEY_FILE && { privateKey: readFileSync(WEBHOOK_PRIVATE_KEY_FILE, 'utf8') }),
  async keep(id, message) {
    if (kept.has(id)) return;
    kept.add(id);
    console.log(id, message.event, JSON.stringify(message.data));
  },
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Waiting on http://127.0.0.1:${PORT}/`));
