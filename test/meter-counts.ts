interface Meter {
  get(): Promise<{ values: { value: number; labels: object }[] }>;
}

/** Current count of a meter for these labels; 0 if it has none. */
export async function countOf(meter: Meter, labels: Record<string, string> = {}): Promise<number> {
  const { values } = await meter.get();
  const found = values.find(({ labels: own }) =>
    Object.entries(labels).every(([name, value]) => (own as Record<string, unknown>)[name] === value),
  );
  return found?.value ?? 0;
}

/** The increase of a meter during `work`. */
export async function riseOf(
  meter: Meter,
  labels: Record<string, string>,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = await countOf(meter, labels);
  await work();
  return (await countOf(meter, labels)) - before;
}
