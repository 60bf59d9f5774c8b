/** Copies a text to the clipboard. Browsers have its interface only for https and the machine itself. */
export async function copyText(text: string, near: Element): Promise<void> {
  if (navigator.clipboard) return await navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // Within the dialog, which keeps the focus to itself.
  near.after(field);
  const before = document.activeElement;
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('The browser does not let pages copy.');
}
