import { attempt, byId, el, list, time } from './dom.ts';
import { openNote } from './margin.ts';
import { notifications } from './redpen.ts';

type Item = ReturnType<typeof notifications.get>['notifications'][number];

/** Shows what concerns the user: replies and mentions. */
export function showBell(): void {
  const bell = byId('bell');
  const count = byId('unread');
  const show = list<Item>(byId('notifications'), ({ id }) => id, itemView);
  const update = () => {
    // Others are about threads that the user has no part in, which are marked as unread beside the article.
    const items = notifications.get().notifications.filter(({ forYou }) => forYou);
    const unread = items.filter(({ isUnread }) => isUnread).length;
    show(items);
    count.hidden = unread === 0;
    count.textContent = String(unread);
    bell.ariaLabel = unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`;
    byId('read-all').hidden = unread === 0;
    byId('no-notifications').hidden = items.length > 0;
  };
  notifications.subscribe(update);
  update();
  byId('read-all').addEventListener('click', () => attempt(notifications.markAllRead()));
}

function itemView({ id, targetAnnotationId }: Item) {
  const headline = el('strong');
  const body = el('span', { className: 'text' });
  const when = el('span');
  const open = () => {
    attempt(notifications.markRead([id]));
    byId('inbox').hidePopover();
    if (targetAnnotationId) openNote(targetAnnotationId);
  };
  const root = el(
    'li',
    {},
    el('button', { type: 'button', className: 'notification', onclick: open }, headline, body, when),
  );
  return {
    root,
    update(item: Item) {
      headline.textContent = item.displayHeadlineMessage ?? '';
      body.textContent = item.displayBodyMessage ?? '';
      when.replaceChildren(time(item.timestamp));
      root.classList.toggle('unread', item.isUnread === true);
    },
  };
}
