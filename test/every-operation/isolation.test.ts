import { describe, expect, test } from 'vitest';
import { canBeCreated, idFieldsOf, isOf, judgeForeignId, listBody } from './isolation.ts';
import { leaksIn } from './judge-answer.ts';
import { distinct } from './operations.ts';
import { withValue } from './places.ts';
import { ask, runAndRestore, sharedStage, validBody } from './validate.ts';
import { type Id, idIn } from './world.ts';

/** Fields that no successful request can contain in these tests, with the reason. */
const CANNOT_SUCCEED: Record<string, string> = {
  '/v2/agents/builtin agentId': 'only built-in agents, which no tenant owns',
  '/v2/users/data/get pageToken': 'a page holds far more rows than the worlds contain',
  '/v2/auth/generate_token userProperties.organizationId': 'is refused with any value',
};

describe.each(distinct)('$path', (operation) => {
  test('with ids that both tenants have, changes and shows only rows of the caller', async () => {
    const stage = await sharedStage();
    const body = await validBody(operation, stage);
    const [reply, changed] = await runAndRestore(stage, () => ask(operation, stage.a, body));
    expect(reply.status).toBe(200);
    expect(changed.filter((key) => isOf(stage.b, key))).toEqual([]);
    expect(leaksIn(operation, reply, stage.a, stage.b)).toEqual([]);
  });

  const fields = idFieldsOf(operation).filter(({ kind }) => canBeCreated(kind));
  test.each(fields.map((field) => ({ ...field, name: field.place.join('.') })))(
    'cannot tell an id of another tenant in $name from an unknown one',
    async ({ place, kind, name }) => {
      const stage = await sharedStage();
      if (`${operation.path} ${name}` in CANNOT_SUCCEED) {
        const found = kind === 'pageToken' ? listBody(operation, stage) : validBody(operation, stage, place);
        return expect(await found).toBeUndefined();
      }
      let body = kind === 'pageToken' ? undefined : await validBody(operation, stage, place);
      let foreign: Id | undefined = stage.b.own[kind];
      if (kind === 'pageToken') {
        const list = await listBody(operation, stage);
        foreign = list?.theirs;
        expect(list, 'The list has no second page.').toBeDefined();
        body = withValue(list?.body, place, list?.mine);
        expect((await ask(operation, stage.a, body)).status).toBe(200);
      }
      expect(body, 'No request with this field succeeds.').toBeDefined();
      expect(foreign, `The world has no ${kind} of its own.`).toBeDefined();
      expect(foreign).not.toBe(idIn(stage.a, kind));
      expect(await judgeForeignId(operation, stage, { place, kind }, body, foreign!)).toEqual({
        problems: [],
        touched: [],
      });
    },
  );
});
