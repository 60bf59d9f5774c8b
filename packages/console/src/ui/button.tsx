import { Link as RouterLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps, Tooltip, TooltipTrigger } from 'react-aria-components';
import styles from './button.module.css';

interface Look {
  variant?: 'default' | 'primary' | 'quiet' | 'danger';
  size?: 'small' | 'medium' | 'large';
}

const classOf = ({ variant = 'default', size = 'medium' }: Look, isIcon = false): string =>
  [
    styles.button,
    variant !== 'default' && styles[variant],
    size !== 'medium' && styles[size],
    isIcon && styles.icon,
  ]
    .filter(Boolean)
    .join(' ');

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

/** A link to a page of the console that looks like a button. */
export function LinkButton({ variant, size, ...props }: Look & ComponentProps<typeof RouterLink>) {
  return <RouterLink {...props} className={classOf({ variant, size } as Look)} />;
}

/** A link that leaves the router, such as a download. */
export function FileButton({ variant, size, ...props }: Look & ComponentProps<'a'>) {
  return <a {...props} className={classOf({ variant, size } as Look)} />;
}
