interface Metric {
  get(): Promise<{ values: { value: number; labels: object }[] }>;
}

/** Current count of a metric for these labels; 0 if it has none. */
export async function countOf(metric: Metric, labels: Record<string, string> = {}): Promise<number> {
  const { values } = await metric.get();
  const found = values.find(({ labels: own }) =>
    Object.entries(labels).every(([name, value]) => (own as Record<string, unknown>)[name] === value),
  );
  return found?.value ?? 0;
}

/** The increase of a metric during `work`. */
export async function riseOf(
  metric: Metric,
  labels: Record<string, string>,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = await countOf(metric, labels);
  await work();
  return (await countOf(metric, labels)) - before;
}
