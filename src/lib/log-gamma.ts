const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** The logarithm of the gamma function of a number above 0. */
export function logGamma(x: number): number {
  // Below a half the series loses its exactness, above it the next number leads back.
  if (x < 0.5) return logGamma(x + 1) - Math.log(x);
  const z = x - 1;
  const base = z + 7.5;
  const sum = LANCZOS.reduce(
    (total, factor, index) => (index === 0 ? factor : total + factor / (z + index)),
    0,
  );
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(base) - base + Math.log(sum);
}

/** The logarithm of the beta function of two numbers above 0. */
export const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);
