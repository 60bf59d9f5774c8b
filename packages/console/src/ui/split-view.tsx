import { X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { IconButton } from './button.tsx';
import { ModalDialog } from './dialog.tsx';
import styles from './split-view.module.css';

const WIDE = '(width >= 1100px)';

/** True if list and detail fit beside each other. */
function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const update = () => setWide(query.matches);
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return isWide;
}

/** A list that fills the window, with one of its entries in detail beside it, or over it where there is no room. */
export function SplitView({
  label,
  list,
  detail,
  onClose,
}: {
  /** Names the list. */
  label: string;
  list: ReactNode;
  detail?: { title: string; label: string; content: ReactNode; isWide?: boolean } | undefined;
  onClose: () => void;
}) {
  const isWide = useIsWide();
  return (
    <div className={styles.split} data-panel={(detail && isWide) || undefined}>
      <section className={styles.pane} aria-label={label}>
        {list}
      </section>
      {detail &&
        (isWide ? (
          <aside className={styles.panel} aria-label={detail.label}>
            <header>
              <h2>{detail.title}</h2>
              <IconButton label="Close" shortcut="Esc" size="small" onPress={onClose}>
                <X />
              </IconButton>
            </header>
            {detail.content}
          </aside>
        ) : (
          <ModalDialog title={detail.title} isOpen kind="side" onClose={onClose}>
            {detail.content}
          </ModalDialog>
        ))}
    </div>
  );
}

/** The line above a list, with its sum. */
export const ListHead = ({ children }: { children: ReactNode }) => (
  <div className={styles.head}>{children}</div>
);
