import { Link as RouterLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import styles from './button.module.css';

export interface Look {
  variant?: 'default' | 'primary' | 'quiet' | 'danger';
  size?: 'small' | 'medium' | 'large';
}

/** The class of something that looks like a button. */
export const classOf = ({ variant = 'default', size = 'medium' }: Look, isIcon = false): string =>
  [
    styles.button,
    variant !== 'default' && styles[variant],
    size !== 'medium' && styles[size],
    isIcon && styles.icon,
  ]
    .filter(Boolean)
    .join(' ');

/** A link to a page of the console that looks like a button. */
export function LinkButton({ variant, size, ...props }: Look & ComponentProps<typeof RouterLink>) {
  return <RouterLink {...props} className={classOf({ variant, size } as Look)} />;
}

/** A link that leaves the router, such as a download. */
export function FileButton({ variant, size, ...props }: Look & ComponentProps<'a'>) {
  return <a {...props} className={classOf({ variant, size } as Look)} />;
}
