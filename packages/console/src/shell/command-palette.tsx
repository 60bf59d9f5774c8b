import { useNavigate } from '@tanstack/react-router';
import { Bot, KeyRound, ScanSearch } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  Text,
} from 'react-aria-components';
import { useKeyQuery } from '../data/use-key-query.ts';
import { useKey, useSession } from '../session/session.tsx';
import dialogStyles from '../ui/dialog.module.css';
import menuStyles from '../ui/menu.module.css';
import { HoldKeys } from './hold-keys.ts';
import { pathOfKey, useKeyPath } from './key-path.ts';
import { DESTINATIONS } from './navigation.ts';
import styles from './palette.module.css';
import { orderFor } from './palette-order.ts';

/**
 * Enters text into the field that has the focus, with the events of typing: only they make the first entry the active one.
 * A command of the document announces no input, as a keyboard does.
 */
function enter(text: string): void {
  document.activeElement?.dispatchEvent(
    new InputEvent('beforeinput', { inputType: 'insertText', bubbles: true }),
  );
  document.execCommand('insertText', false, text);
}

/** Holds keys until the field can take them, and enters there what was held. Returns true until then. */
function useHeldKeys(held: { current: string }): boolean {
  const [isHolding, setHolding] = useState(true);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (held.current !== '') enter(held.current);
      setHolding(false);
    });
    return () => cancelAnimationFrame(frame);
  }, [held]);
  return isHolding;
}

/** Goes to a page or an agent, starts a review or changes the API key, by typing a few letters. */
export function CommandPalette({
  typed: before,
  onClose,
}: {
  /** What the person types before the palette is there. */
  typed: { current: string };
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const isHolding = useHeldKeys(before);
  const navigate = useNavigate();
  const to = useKeyPath();
  const { workspaces } = useSession();
  const { key } = useKey();
  const pages = DESTINATIONS.flatMap(({ label: group, destinations }) =>
    destinations.map(({ path, label, icon: Icon, words }) => ({
      id: `page ${path}`,
      label,
      hint: group,
      words,
      icon: <Icon size={16} />,
      target: to(path),
    })),
  );
  const keys = workspaces
    .flatMap((workspace) => workspace.apiKeys.map((one) => ({ ...one, workspace: workspace.name })))
    .filter(({ apiKeyId }) => apiKeyId !== key.apiKeyId)
    .map(({ apiKeyId, name, workspace }) => ({
      id: `key ${apiKeyId}`,
      label: `Switch to ${name}`,
      hint: workspace,
      words: apiKeyId,
      icon: <KeyRound size={16} />,
      target: pathOfKey(apiKeyId, ''),
    }));
  const { data: agents = [] } = useKeyQuery(['agents', 'all'], (redpen, signal) =>
    redpen.agents.all({}, { signal, max: 2_000 }),
  );
  const ofAgents = agents.map(({ id, name }) => ({
    id: `agent ${id}`,
    label: name,
    hint: 'Agent',
    words: id,
    icon: <Bot size={16} />,
    target: to(`/agents/${id}`),
  }));
  const first = {
    id: 'review',
    label: 'Review a page',
    hint: 'Command',
    words: 'new run start url check',
    icon: <ScanSearch size={16} />,
    target: to('/welcome'),
  };
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(opens) => !opens && onClose()}
      isDismissable
      className={dialogStyles.backdrop ?? ''}
    >
      <Modal className={dialogStyles.modal ?? ''}>
        {isHolding && <HoldKeys typed={before} onClose={onClose} />}
        <Dialog aria-label="Find or go to" className={styles.palette ?? ''}>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField aria-label="Find or go to" autoFocus>
              <Input className={styles.input ?? ''} placeholder="Find a page, an agent or a command" />
            </SearchField>
            <Menu
              className={styles.list ?? ''}
              aria-label="Pages and commands"
              items={orderFor([first, ...pages, ...ofAgents, ...keys], typed)}
              renderEmptyState={() => <div className={styles.none}>Nothing has this name.</div>}
            >
              {({ id, label, hint, words, icon, target }) => (
                <MenuItem
                  id={id}
                  textValue={`${label} ${words}`}
                  className={menuStyles.item ?? ''}
                  onAction={() => {
                    onClose();
                    void navigate({ to: target });
                  }}
                >
                  {icon}
                  <Text slot="label">{label}</Text>
                  <Text slot="description" className={menuStyles.hint ?? ''}>
                    {hint}
                  </Text>
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
