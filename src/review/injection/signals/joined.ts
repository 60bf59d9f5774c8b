import type { Signal } from './signal.ts';

/** For words of which the gaps are lost. */
export const joinedSignal: Signal = {
  name: 'joined',
  kind: 'override',
  weight: 3,
  pattern:
    /(?:ignore|disregard|forget|override)(?:all|any|the|of|your|my|these)*(?:previous|prior|above|earlier|your|system|preceding)(?:instructions?|prompts?|rules|directives?)|(?:report|return|answerwith|respondwith)(?:no|zero)(?:findings|issues|problems|errors)|(?:revealyour|reveal|printyour|printthe)system?prompt|donotreport(?:any)?(?:findings|issues|problems|errors|thispage)/,
};
