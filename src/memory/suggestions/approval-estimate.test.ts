import { expect, test } from 'vitest';
import { DAY_MS } from '../../lib/day.ts';
import { estimateApproval } from './approval-estimate.ts';

/** Votes in order (a: approve, r: reject), weight of the first, approval, probability of a changed mind. */
const KNOWN: [string, number, number, number | null][] = [
  ['', 1, 0.5, null],
  ['a', 1, 0.903225806451613, null],
  ['r', 1, 0.0967741935483871, null],
  ['aa', 1, 0.9461883408071748, null],
  ['ar', 1, 0.5022421524663677, null],
  ['aar', 1, 0.6573208722741433, null],
  ['aaaa', 1, 0.9675866465394974, 0.14203651695197703],
  ['aarr', 1, 0.10612226129232359, 0.8859358618400727],
  ['rraa', 1, 0.8938777387076763, 0.8859358618400727],
  ['aaarrr', 1, 0.0843959209209246, 0.9208515486483699],
  ['ararararar', 1, 0.49902172820779117, 0.06797995802814616],
  ['aaaaaaaarrrr', 1, 0.049588928193951914, 0.9892974596167854],
  ['rrrrrrraaaaaaaaa', 1, 0.9828653859236957, 0.9993523127046574],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaar', 1, 0.918842791546837, 0.27422787703479573],
  ['aar', 0.5, 0.6463768115942029, null],
  ['aaaa', 0.5, 0.9387589417418337, 0.15612585914501356],
  ['aarr', 0.5, 0.25012222639394605, 0.6269790080982957],
  ['rraa', 0.5, 0.7498777736060539, 0.6269790080982957],
  ['aaarrr', 0.5, 0.25819258032189474, 0.6130605473756248],
  ['ararararar', 0.5, 0.4982547309164647, 0.09169214590074737],
  ['aaaaaaaarrrr', 0.5, 0.258985982406093, 0.7519972879443845],
  ['rrrrrrraaaaaaaaa', 0.5, 0.9163018738001166, 0.9105519049957274],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaar', 0.5, 0.9385612557816855, 0.1928996590142502],
  ['aar', 0.03, 0.5460346399270739, null],
  ['aaaa', 0.03, 0.6491780510974775, 0.23601758737014758],
  ['aarr', 0.03, 0.47593157647962586, 0.2582999805321573],
  ['rraa', 0.03, 0.5240684235203741, 0.2582999805321573],
  ['aaarrr', 0.03, 0.4758654033243023, 0.25601166174055756],
  ['ararararar', 0.03, 0.4975651188082831, 0.22902387012796702],
  ['aaaaaaaarrrr', 0.03, 0.5645876506130184, 0.2509278859805203],
  ['rrrrrrraaaaaaaaa', 0.03, 0.5636495763095364, 0.257838311663923],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaar', 0.03, 0.8363055382754725, 0.19983845971462627],
  ['aar', 0.9, 0.6560247167868177, null],
  ['aaaa', 0.9, 0.9642073940489403, 0.14397942597604085],
  ['aarr', 0.9, 0.1259255151639651, 0.852059041632015],
  ['rraa', 0.9, 0.874074484836035, 0.852059041632015],
  ['aaarrr', 0.9, 0.10637263509991772, 0.8854192090467722],
  ['ararararar', 0.9, 0.4989258758241005, 0.07097456691613818],
  ['aaaaaaaarrrr', 0.9, 0.06413923597516383, 0.9784643913379445],
  ['rrrrrrraaaaaaaaa', 0.9, 0.979688287651702, 0.9981904652374637],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaar', 0.9, 0.924797823459077, 0.25360549857975184],
];

test.each(KNOWN)(
  'the estimate for the votes "%s" with a weight of %d stays as it was',
  (sides, weight, approve, change) => {
    const votes = [...sides].map((side, index) => ({
      side: side === 'a' ? ('approve' as const) : ('reject' as const),
      at: index * DAY_MS,
      weight: weight * (1 - index / 100),
      by: `user-${index % 3}`,
    }));
    const estimate = estimateApproval(votes);
    expect(Math.abs(estimate.approve - approve)).toBeLessThan(1e-9);
    expect(estimate.change === undefined).toBe(change === null);
    if (change !== null) expect(Math.abs(estimate.change!.probability - change)).toBeLessThan(1e-9);
  },
);
