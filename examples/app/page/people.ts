import { attempt, avatar, byId, el } from './dom.ts';
import { me, presence } from './redpen.ts';

/** Shows who is on the page. */
export function showPeople(): void {
  const update = () => {
    const users = presence.get().users.filter(({ status }) => status !== 'offline');
    byId('people').replaceChildren(
      ...users.map((user) =>
        el(
          'li',
          { className: user.status },
          avatar(user),
          el('span', { className: 'visually-hidden' }, nameOf(user)),
        ),
      ),
    );
  };
  const nameOf = ({ userId, name, status }: { userId: string; name?: string; status: string }) =>
    `${name ?? userId}${userId === me.userId ? ' (you)' : ''}${status === 'away' ? ', away' : ''}`;
  presence.subscribe(update);
  update();
  attempt(join());
}

async function join(): Promise<void> {
  await presence.join();
  document.addEventListener('visibilitychange', () => {
    attempt(presence.update({ status: document.hidden ? 'away' : 'online' }));
  });
}
