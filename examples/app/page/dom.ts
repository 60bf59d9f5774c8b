type Child = Node | string | false | undefined;

/** An element with properties and children. Texts become text nodes, so no text of a user is ever read as HTML. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== false && child !== undefined));
  return element;
}

export const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

export interface View<T> {
  root: HTMLElement;
  update(item: T): void;
  /** Called before the element is removed, since its item is gone. */
  leave?(): void;
}

/** Shows items as elements that stay the same while they change, so that no focus and no draft gets lost. */
export function list<T>(parent: Element, idOf: (item: T) => string, make: (item: T) => View<T>) {
  const views = new Map<string, View<T>>();
  return (items: readonly T[]): void => {
    const ids = new Set(items.map(idOf));
    for (const [id, view] of views) {
      if (ids.has(id)) continue;
      const hasFocus = view.root.contains(document.activeElement);
      view.leave?.();
      view.root.remove();
      views.delete(id);
      // Work with the keyboard goes on from here, instead of from the top of the page.
      if (hasFocus) parent.closest<HTMLElement>('[tabindex]')?.focus();
    }
    for (const [index, item] of items.entries()) {
      const view = views.get(idOf(item)) ?? make(item);
      views.set(idOf(item), view);
      view.update(item);
      const before = parent.children[index];
      if (before !== view.root) parent.insertBefore(view.root, before ?? null);
    }
  };
}

/** Has screen readers say something that changed elsewhere on the page. */
export function announce(text: string): void {
  byId('announcements').textContent = text;
}

/** Lets work go on by itself. If it is refused, the page says why. */
export function attempt(work: Promise<unknown>): void {
  const problem = byId('problem');
  const dismiss = () => problem.replaceChildren();
  work.catch((error: Error) => {
    problem.replaceChildren(
      `${error.message} `,
      el('button', { type: 'button', className: 'quiet', onclick: dismiss }, 'Dismiss'),
    );
  });
}

const clock = new Intl.DateTimeFormat([], { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat([], { day: 'numeric', month: 'short' });

export function time(at: number): HTMLTimeElement {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return el(
    'time',
    { dateTime: date.toISOString(), title: date.toLocaleString() },
    (isToday ? clock : day).format(date),
  );
}

/** The initials of a person, in a color of their own. */
export function avatar(person: { userId: string; name?: string | undefined }): HTMLElement {
  const name = person.name ?? person.userId;
  const initials = name
    .split(' ')
    .map((word) => [...word][0] ?? '')
    .join('')
    .slice(0, 2);
  const hue = [...person.userId].reduce((sum, char) => (sum * 31 + char.codePointAt(0)!) % 360, 7);
  const root = el('span', { className: 'avatar', title: name, ariaHidden: 'true' }, initials.toUpperCase());
  root.style.setProperty('--hue', String(hue));
  return root;
}
