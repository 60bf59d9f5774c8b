import { announce, attempt, el } from './dom.ts';
import { insertMention, readPeople, suggestionsAt, withReferences } from './mentions.ts';
import { attachPictures } from './pictures.ts';

export type Draft = ReturnType<typeof withReferences> & { attachments?: { attachmentId: string }[] };

interface Options {
  label: string;
  action: string;
  text?: string;
  /** Settles with the answer of the service; until then, the comment is shown as pending. */
  submit: (draft: Draft) => Promise<unknown>;
  /** Closes the form. What was typed stays in it after Escape, and is discarded by Cancel. */
  close?: () => void;
  /** True if the comment may get pictures. */
  takesPictures?: boolean;
}

/** A form for the text of a comment. */
export function composer({ label, action, text = '', submit, close, takesPictures }: Options) {
  const area = el('textarea', { ariaLabel: label, placeholder: label, rows: 1, required: true, value: text });
  const problem = el('p', { className: 'problem', role: 'alert' });
  const pictures = takesPictures ? attachPictures(fail) : undefined;
  const cancel = () => {
    area.value = '';
    pictures?.take();
    close?.();
  };
  const form = el(
    'form',
    { className: 'composer' },
    area,
    mentionsFor(area),
    problem,
    pictures?.list,
    el(
      'div',
      { className: 'row' },
      el('button', { className: 'primary' }, action),
      close && el('button', { type: 'button', className: 'quiet', onclick: cancel }, 'Cancel'),
      pictures?.button,
    ),
  );
  function fail(error: unknown): void {
    problem.textContent = error instanceof Error ? error.message : String(error);
  }

  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    if (event.key === 'Escape') close?.();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const typed = area.value.trim();
    if (typed === '') return;
    if (pictures?.isUploading()) return fail('The picture is still being uploaded.');
    const taken = pictures?.take() ?? [];
    const attachments = taken.map(({ attachmentId = '' }) => ({ attachmentId }));
    area.value = '';
    problem.textContent = '';
    try {
      await submit({ ...withReferences(typed), ...(attachments.length > 0 && { attachments }) });
    } catch (error) {
      // The service refused it: the page no longer shows it, and its author gets it back.
      area.value = [typed, area.value].filter(Boolean).join('\n\n');
      pictures?.giveBack(taken);
      fail(error);
      // Its thread may be gone, and this form with it.
      if (!form.isConnected)
        attempt(Promise.reject(new Error(`“${typed}” was not sent: ${problem.textContent}`)));
    }
  });
  return form;
}

/** Offers people to mention once `@` and the beginning of a name are typed. */
function mentionsFor(area: HTMLTextAreaElement): HTMLElement {
  const group = el('div', { className: 'mentions', role: 'group', ariaLabel: 'Mention', hidden: true });
  const suggest = () => {
    const found = suggestionsAt(area);
    const choose = (name: string) => {
      insertMention(area, name);
      suggest();
    };
    group.hidden = found.length === 0;
    group.replaceChildren(
      ...found.map(({ name = '' }) =>
        el('button', { type: 'button', onclick: () => choose(name) }, `@${name}`),
      ),
    );
    if (found.length > 0) announce(`Press Tab to mention ${found.map(({ name }) => name).join(' or ')}.`);
  };
  area.addEventListener('input', suggest);
  area.addEventListener('focus', async () => {
    await readPeople();
    suggest();
  });
  return group;
}
