import { Pool } from 'undici';
import { ATTACKER_ADDRESS } from './attacker.ts';
import { newKey } from './closed-loop.ts';
import { loads } from './loads.ts';

// One load of bench/loads.ts in a process of its own: prepares it, says so to its parent, and goes on until it is
// ended. Its processor time is not the service's, so that it runs at the lowest priority.
const [url = '', name = ''] = process.argv.slice(2);
const load = loads.find((one) => one.name === name)!;
// An address of its own, as the attacker of a network has.
const client = new Pool(url, {
  connections: 256,
  pipelining: 1,
  connect: { localAddress: ATTACKER_ADDRESS },
});
const attacker = { url, client, headers: (await newKey(client)).headers };
const { act, width, end } = await load.begin(attacker);
let acts = 0;
let failures = 0;
let isEnding = false;
process.once('message', () => {
  isEnding = true;
  end?.();
  process.send!({ acts, failures }, () => process.exit());
});
process.send!('ready');
for (let index = 0; index < width; index++) {
  void (async () => {
    while (!isEnding) {
      try {
        await act();
        acts += 1;
      } catch {
        failures += 1;
        await new Promise((done) => setTimeout(done, 50));
      }
    }
  })();
}
