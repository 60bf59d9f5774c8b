type Call = (path: string, data: object) => Promise<unknown>;

/** Adds judgments that were approvals until a week ago and rejections since, which raises an alert; returns its id. */
export async function raiseAlert(
  call: Call,
  userId: string,
  mark: string,
  name = mark,
): Promise<string | undefined> {
  await call('/v2/memory/judgments/add', {
    judgments: Array.from({ length: 75 }, (_, index) => ({
      decision: index < 25 ? 'reject' : 'approve',
      reasoning: mark,
      actionUser: { userId, name },
      createdAt: Date.now() - (index < 25 ? 1 + (index % 5) : 8 + (index % 25)) * 86_400_000,
    })),
  });
  await call('/v2/memory/consolidate', {});
  const alerts = (await call('/v2/memory/alerts/list', {})) as { id: string }[] | undefined;
  return alerts?.[0]?.id;
}
