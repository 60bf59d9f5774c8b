import { isRedpenError } from '@redpen/client';

/** In place of a number that could not be read. */
export function Uncounted({ error }: { error: Error }) {
  const sentence =
    isRedpenError(error) && error.httpStatus === undefined ? 'The service does not answer.' : error.message;
  return (
    <span title={sentence}>
      <span aria-hidden>–</span>
      <span className="visually-hidden">Unknown: {sentence}</span>
    </span>
  );
}
