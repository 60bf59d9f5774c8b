import type { ComponentProps } from 'react';
import { SearchInput, TextInput } from '../ui/field.tsx';
import { useDraft } from './use-draft.ts';

/** A field whose value is in the address, once the person pauses. */
export function AddressInput(props: ComponentProps<typeof TextInput>) {
  const [draft, setDraft] = useDraft(props.value, props.onChange);
  return <TextInput {...props} value={draft} onChange={setDraft} />;
}

/** A search whose words are in the address, once the person pauses. */
export function AddressSearch(props: ComponentProps<typeof SearchInput>) {
  const [draft, setDraft] = useDraft(props.value, props.onChange);
  return <SearchInput {...props} value={draft} onChange={setDraft} />;
}
