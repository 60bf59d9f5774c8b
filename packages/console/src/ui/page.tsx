import { Link } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import styles from './page.module.css';

export interface Crumb {
  label: string;
  to: string;
}

/** A page of the console: its title, also of the browser's tab, its actions, and its content. */
export function Page({
  title,
  lead,
  crumbs = [],
  actions,
  children,
  isFull,
}: {
  title: string;
  lead?: ReactNode;
  crumbs?: readonly Crumb[];
  actions?: ReactNode;
  children: ReactNode;
  /** Uses the whole width of the window. */
  isFull?: boolean;
}) {
  useEffect(() => {
    document.title = `${title} · Redpen`;
  }, [title]);
  return (
    <div className={`${styles.page} ${isFull ? styles.full : ''}`}>
      <header className={styles.head}>
        <div className={styles.words}>
          {crumbs.length > 0 && (
            <nav className={styles.crumbs} aria-label="Breadcrumbs">
              <ol>
                {crumbs.map(({ label, to }) => (
                  <li key={to}>
                    <Link to={to}>{label}</Link>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <h1 className={styles.title}>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A bordered part of a page with a heading. `isFlush` leaves the space around the content to the content. */
export function Card({
  title,
  lead,
  actions,
  children,
  isFlush,
}: {
  title?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  isFlush?: boolean;
}) {
  return (
    <section className={styles.card}>
      {(title || actions) && (
        <header>
          <div>
            {title && <h2>{title}</h2>}
            {lead && <p>{lead}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {isFlush ? children : <div className={styles.inner}>{children}</div>}
    </section>
  );
}

/** What a list shows while it is empty: what belongs here, one button, and how to do it by code. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <Icon size={28} strokeWidth={1.5} aria-hidden />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Holds the place of a list while it is read. */
export function Loading({ rows = 5, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div className={styles.bones} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
        <div key={index} className={styles.bone} />
      ))}
    </div>
  );
}
