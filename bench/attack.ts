import { Pool } from 'undici';
import { ATTACKER_ADDRESS } from './attacker.ts';
import { newKey } from './closed-loop.ts';
import { loads } from './loads.ts';

// Runs one load of bench/loads.ts in a separate process: prepares it, sends `ready` to the parent, and repeats it
// until the parent sends a message. The parent gives this process the lowest priority, so that it takes no processor
// time from the service.
const [url = '', name = ''] = process.argv.slice(2);
const load = loads.find((candidate) => candidate.name === name)!;
// A separate source address, since an attacker on a network does not share the address of other callers.
const client = new Pool(url, {
  connections: 256,
  pipelining: 1,
  connect: { localAddress: ATTACKER_ADDRESS },
});
const attacker = { url, client, headers: (await newKey(client)).headers };
const { act, width, end } = await load.begin(attacker);
let actions = 0;
let failures = 0;
let isEnding = false;
process.once('message', () => {
  isEnding = true;
  end?.();
  process.send!({ actions, failures }, () => process.exit());
});
process.send!('ready');
for (let index = 0; index < width; index++) {
  void (async () => {
    while (!isEnding) {
      try {
        await act();
        actions += 1;
      } catch {
        failures += 1;
        await new Promise((done) => setTimeout(done, 50));
      }
    }
  })();
}
