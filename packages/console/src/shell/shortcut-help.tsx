import { ModalDialog } from '../ui/dialog.tsx';
import styles from './palette.module.css';

const SHORTCUTS: readonly [string, string][] = [
  ['Ctrl K', 'Find a page or a command'],
  ['?', 'Show these shortcuts'],
  ['J', 'Next finding'],
  ['K', 'Previous finding'],
  ['A', 'Accept the finding'],
  ['R', 'Reject the finding, with a reason'],
  ['E', 'Resolve the finding'],
  ['X', 'Select the finding'],
  ['Enter', 'Open the finding'],
  ['F6', 'Go to the notice, such as to undo'],
  ['Esc', 'Close what is open'],
];

export const ShortcutHelp = ({ onClose }: { onClose: () => void }) => (
  <ModalDialog title="Keyboard shortcuts" isOpen onClose={onClose}>
    <dl className={styles.keys}>
      {SHORTCUTS.map(([key, meaning]) => (
        <div key={key} className={styles.pair}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </ModalDialog>
);
