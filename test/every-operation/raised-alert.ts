type Make = (path: string, data: object) => Promise<unknown>;

/** Hardly anything was rejected until a week ago, and all since, which is worth an alert. */
export async function raiseAlert(make: Make, userId: string, mark: string): Promise<string | undefined> {
  await make('/v2/memory/judgments/add', {
    judgments: Array.from({ length: 75 }, (_, index) => ({
      decision: index < 25 ? 'reject' : 'approve',
      reasoning: mark,
      actionUser: { userId, name: mark },
      createdAt: Date.now() - (index < 25 ? 1 + (index % 5) : 8 + (index % 25)) * 86_400_000,
    })),
  });
  await make('/v2/memory/consolidate', {});
  const alerts = (await make('/v2/memory/alerts/list', {})) as { id: string }[] | undefined;
  return alerts?.[0]?.id;
}
