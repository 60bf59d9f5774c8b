import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { holdWaiting, type LaneKey, loadLaneEndpoint, lockEndpoint } from '../../store/webhooks/lanes.ts';
import { targetOf } from './build-request.ts';

interface HoldDeps {
  db: Db;
  keyring: Keyring;
  now(): number;
  aborting: AbortSignal;
}

/** Keeps for a replay what waits for an endpoint that is turned off, unless it was turned on meanwhile. */
export async function holdForReplay({ db, keyring, now, aborting }: HoldDeps, key: LaneKey): Promise<void> {
  const part = () =>
    db.transaction().execute(async (tx) => {
      await lockEndpoint(tx, key);
      const endpoint = await loadLaneEndpoint(tx, key);
      const isOn = endpoint && !endpoint.disabled && targetOf(endpoint, keyring, now());
      return !endpoint || Boolean(isOn) || (await holdWaiting(tx, key.apiKeyId, [key.endpointId]));
    });
  while (!aborting.aborted && !(await part()));
}
