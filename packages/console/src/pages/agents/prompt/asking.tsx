import { Loading } from '../../../ui/page.tsx';
import { Note } from '../../../ui/stack.tsx';

/** Holds the place of an answer of the language model, which takes longer than other reads. */
export const Asking = ({ rows }: { rows: number }) => (
  <>
    <Note>The language model is being asked. This takes from a few seconds to a minute.</Note>
    <Loading rows={rows} label="Asking the language model" />
  </>
);
