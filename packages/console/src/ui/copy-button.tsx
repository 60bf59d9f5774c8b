import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { copyText } from './copy-text.ts';
import { announce } from './toasts.tsx';

const SHOWN_MS = 2_000;

/** Copies a text to the clipboard. Without a label it is an icon. */
export function CopyButton({ text, label, name = 'Copy' }: { text: string; label?: string; name?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = ({ target }: { target: Element }) =>
    void copyText(text, target).then(
      () => setCopied(true),
      () =>
        announce('The browser does not let this page copy. Select the text, and copy it by the keyboard.'),
    );
  const icon = isCopied ? <Check /> : <Copy />;
  if (label === undefined)
    return (
      <IconButton label={isCopied ? 'Copied' : name} size="small" onPress={copy}>
        {icon}
      </IconButton>
    );
  return (
    <Button size="small" variant="quiet" onPress={copy}>
      {icon} {isCopied ? 'Copied' : label}
    </Button>
  );
}
