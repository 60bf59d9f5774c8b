const HOUR_MS = 3_600_000;
/** An endpoint that only failed for so long is sent nothing any more. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR_MS;
/** A single failure today and one next week are no outage; nor is anybody told everything at once. */
const BETWEEN_NOTICES_MS = 12 * HOUR_MS;

/** How far of the way the owner is told; at the end of it the endpoint is disabled. */
const STAGES = [50, 90, 100] as const;
export type Stage = (typeof STAGES)[number];

export interface Health {
  failingSince: number | null;
  toldPercent: number;
  toldAt: number | null;
}

/** What the owner is to be told at a failure, if anything. Nothing is left out on the way. */
export function stageReached({ failingSince, toldPercent, toldAt }: Health, now: number): Stage | undefined {
  if (failingSince === null) return undefined;
  const next = STAGES.find((stage) => stage > toldPercent);
  const isDue = next !== undefined && (now - failingSince) * 100 >= DISABLED_AFTER_MS * next;
  const isTooSoon = toldAt !== null && now - toldAt < BETWEEN_NOTICES_MS;
  return isDue && !isTooSoon ? next : undefined;
}
