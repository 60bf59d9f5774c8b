/** Keys within a box of the overlay stay there; Esc and Ctrl+Enter have a meaning. */
export const boxKeys =
  (onEscape: () => void, onSend?: (field: HTMLTextAreaElement) => void) =>
  (event: KeyboardEvent): void => {
    const field = event.target;
    const isArea = field instanceof HTMLTextAreaElement;
    const isWriting = isArea || field instanceof HTMLInputElement;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onEscape();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isArea) {
      event.preventDefault();
      event.stopPropagation();
      onSend?.(field);
    } else if (isWriting && !(event.altKey && event.shiftKey)) event.stopPropagation();
  };
