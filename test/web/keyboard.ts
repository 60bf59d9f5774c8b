import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { lookAtFocus, noteLooks } from './focus-look.ts';

type Name = string | RegExp;
type Role = Parameters<Page['getByRole']>[0] | 'summary';

/** Names that the accessibility tree of Chromium has for roles of ours. */
const ROLES: Record<string, string> = {
  PopUpButton: 'button',
  ToggleButton: 'button',
  DisclosureTriangle: 'summary',
  DisclosureTriangleGrouped: 'summary',
};
/** The page itself: Tab leaves the last control for it, before it begins at the first one again. */
const EDGE = 'RootWebArea';

/** What has the focus, as assistive technology sees it. */
export interface Stop {
  role: string;
  name: string;
  /** What is wrong with how the focus shows. */
  faults: string[];
}

/** The deepest element with the focus: elements keep theirs in a shadow root. */
const FOCUSED = `(() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
})()`;

const fits = (name: string, wanted: Name): boolean =>
  typeof wanted === 'string' ? name === wanted : wanted.test(name);

const describe = ({ role, name }: Stop): string => `${role} “${name}”`;

/** A person without a mouse: walks by keys alone, and fails where the focus is lost, has no name or does not show. */
export class Keyboard {
  readonly page: Page;
  #session: Promise<CDPSession>;

  constructor(page: Page) {
    this.page = page;
    this.#session = page.context().newCDPSession(page);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** What has the focus now. */
  async focused(): Promise<Stop> {
    const session = await this.#session;
    const { result } = await session.send('Runtime.evaluate', { expression: FOCUSED });
    if (!result.objectId || result.className === 'HTMLBodyElement')
      return { role: EDGE, name: '', faults: ['Nothing has the focus.'] };
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId,
      fetchRelatives: false,
    });
    const [node] = nodes;
    const found = String(node?.role?.value ?? 'none');
    const role = ROLES[found] ?? found;
    const name = String(node?.name?.value ?? '').trim();
    const faults = await this.page.evaluate(lookAtFocus);
    if (name === '') faults.push('It has no accessible name.');
    return { role, name, faults };
  }

  /** Walks with Tab, or another key, to the control with this role and name. */
  async to(role: Role, wanted: Name, { key = 'Tab', most = 150 } = {}): Promise<void> {
    await this.#locate(role, wanted).first().waitFor();
    const seen: string[] = [];
    for (let count = 0; count <= most; count++) {
      if (count > 0) {
        await this.page.evaluate(noteLooks);
        await this.press(key);
      }
      const stop = await this.focused();
      const isThere = stop.role === role && fits(stop.name, wanted);
      // Where the walk begins, the focus may be on the page itself.
      if ((count === 0 || stop.role === EDGE) && !isThere) continue;
      seen.push(describe(stop));
      if (stop.faults.length > 0)
        throw new Error(`${describe(stop)}: ${stop.faults.join(' ')}\nAfter: ${seen.join(', ')}`);
      if (isThere) return;
    }
    throw new Error(`No ${role} “${wanted}” among the stops: ${seen.join(', ')}`);
  }

  #locate(role: Role, name: Name) {
    return role === 'summary'
      ? this.page.locator('summary', { hasText: name })
      : this.page.getByRole(role, { name, exact: true });
  }

  /** Walks to a control and presses a key on it. */
  async use(role: Role, wanted: Name, key = 'Enter'): Promise<void> {
    await this.to(role, wanted);
    await this.press(key);
  }

  /** Walks to a field and types in place of what it holds. */
  async fill(wanted: Name, text: string, role: Role = 'textbox'): Promise<void> {
    await this.to(role, wanted);
    await this.press('ControlOrMeta+a');
    await this.type(text);
  }

  /** Opens a menu by its button, and walks to an item with the arrows. */
  async choose(button: Name, item: Name, role: 'menuitem' | 'option' = 'menuitem'): Promise<void> {
    await this.use('button', button);
    await this.page.getByRole(role).first().waitFor();
    await this.press('Home');
    await this.to(role, item, { key: 'ArrowDown', most: 60 });
    await this.press('Enter');
    await this.page.getByRole(role).first().waitFor({ state: 'detached' });
  }

  /** Goes over the navigation, as the first stop of every page offers. */
  async skip(): Promise<void> {
    await this.use('link', 'Skip to the page');
    await expect.poll(() => this.page.evaluate('document.activeElement?.id')).toBe('main');
  }

  /** Opens the palette, and the first of its entries that has these words. */
  async find(words: string, entry: string): Promise<void> {
    await this.press('Control+k');
    await expect.poll(async () => (await this.focused()).name).toBe('Find or go to');
    await this.type(words);
    await expect.poll(() => this.#active()).toContain(entry);
    await this.press('Enter');
    await this.page.getByRole('dialog', { name: 'Find or go to' }).waitFor({ state: 'detached' });
  }

  /** The option that the field with the focus points at. */
  #active(): Promise<string> {
    return this.page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant');
      return (id && document.getElementById(id)?.textContent) || '';
    });
  }

  /** Follows a dialog from its opening to its end: it holds the focus, and gives it back to what opened it. */
  async dialog(
    open: () => Promise<void>,
    name: Name,
    inside: () => Promise<void>,
    { role = 'dialog' as 'dialog' | 'alertdialog', opener = undefined as Name | undefined } = {},
  ): Promise<void> {
    await open();
    const dialog = this.page.getByRole(role, { name, exact: true });
    await dialog.waitFor();
    await this.#circle(role);
    await inside();
    await dialog.waitFor({ state: 'detached' });
    if (opener !== undefined)
      await expect
        .poll(async () => (await this.focused()).name, { message: 'the focus goes back' })
        .toMatch(opener);
    else await this.expectPlace();
  }

  /** Walks once around a dialog, back to where it began. */
  async #circle(role: 'dialog' | 'alertdialog'): Promise<void> {
    const isInside = () => this.page.evaluate(`${FOCUSED}.closest('[role="${role}"]') !== null`);
    await expect.poll(isInside, { message: 'the dialog takes the focus' }).toBe(true);
    const seen: string[] = [];
    const step = async (key: string): Promise<void> => {
      await this.page.evaluate(noteLooks);
      await this.press(key);
      const stop = await this.focused();
      seen.push(describe(stop));
      expect(await isInside(), `The focus left the dialog: ${seen.join(', ')}`).toBe(true);
      expect(stop.faults, seen.join(', ')).toEqual([]);
    };
    // A dialog without a field has the focus itself at first, and is no stop.
    if (await this.page.evaluate(`${FOCUSED}.matches('[role="${role}"]')`)) await step('Tab');
    await this.page.evaluate(`globalThis.begin = ${FOCUSED}`);
    for (const key of ['Tab', 'Shift+Tab']) {
      const from = seen.length;
      do {
        await step(key);
        if (seen.length - from > 80) throw new Error(`The dialog has no end: ${seen.join(', ')}`);
      } while (!(await this.page.evaluate(`globalThis.begin === ${FOCUSED}`)));
    }
  }

  /** Waits until the focus is at a place of the page, which a removed control leaves it without. */
  async expectPlace(): Promise<void> {
    // What is disabled or gone loses the focus when the browser draws it next.
    await this.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
    const isLost = () => this.page.evaluate(`${FOCUSED} === null || ${FOCUSED} === document.body`);
    await expect.poll(isLost, { message: 'the focus is at a place' }).toBe(false);
  }

  /** Waits until a live region says this. */
  async expectSaid(words: string | RegExp): Promise<void> {
    const live = this.page.locator(
      '[role="alert"], [role="status"], [aria-live="polite"], [aria-live="assertive"]',
    );
    await live.filter({ hasText: words }).first().waitFor({ state: 'attached' });
  }

  /** Goes to the newest notice, and presses its button. */
  async useNotice(button: string): Promise<void> {
    await this.press('F6');
    await this.use('button', button);
  }
}
