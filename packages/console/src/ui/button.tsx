import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps, Tooltip, TooltipTrigger } from 'react-aria-components';
import styles from './button.module.css';
import { classOf, type Look } from './link-button.tsx';

export { FileButton, LinkButton } from './link-button.tsx';

export function Button({ variant, size, ...props }: Look & Omit<ButtonProps, 'className' | 'style'>) {
  return <AriaButton {...props} className={classOf({ variant, size } as Look)} />;
}

/** A button that shows an icon only, with its name as a tooltip. */
export function IconButton({
  label,
  shortcut,
  variant = 'quiet',
  size = 'medium',
  children,
  ...props
}: Look & { label: string; shortcut?: string; children: ReactNode } & Omit<
    ButtonProps,
    'className' | 'style' | 'children'
  >) {
  return (
    <TooltipTrigger delay={500}>
      <AriaButton {...props} aria-label={label} className={classOf({ variant, size }, true)}>
        {children}
      </AriaButton>
      <Tooltip className={styles.tip ?? ''} offset={6}>
        {label}
        {shortcut && <kbd>{shortcut}</kbd>}
      </Tooltip>
    </TooltipTrigger>
  );
}
