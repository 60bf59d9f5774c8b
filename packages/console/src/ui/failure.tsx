import { isRedpenError, type RedpenError } from '@redpen/client';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './failure.module.css';

const sentenceOf = (error: RedpenError): string =>
  error.httpStatus === undefined ? 'The service does not answer. Is it running?' : error.message;

const supportText = (error: RedpenError): string =>
  JSON.stringify(
    {
      status: error.status,
      message: error.message,
      code: error.code,
      issues: error.issues,
      requestId: error.requestId,
      httpStatus: error.httpStatus,
      page: location.pathname,
      at: new Date().toISOString(),
    },
    null,
    2,
  );

/** Shows what stands in backticks, such as a command to copy, as code. */
const withCode = (text: string): ReactNode[] =>
  text.split(/`([^`]+)`/).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay in their order.
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );

/** An error: its sentence, the problems of a malformed request, and the id that finds it in the log. */
export function Failure({
  error,
  onRetry,
  children,
}: {
  error: unknown;
  onRetry?: () => void;
  children?: ReactNode;
}) {
  if (!isRedpenError(error)) {
    return (
      <div className={styles.failure} role="alert">
        <CircleAlert size={16} aria-hidden />
        <div className={styles.text}>
          <p>{withCode(error instanceof Error ? error.message : String(error))}</p>
          {children}
        </div>
      </div>
    );
  }
  return (
    <div className={styles.failure} role="alert">
      <CircleAlert size={16} aria-hidden />
      <div className={styles.text}>
        <p>{withCode(sentenceOf(error))}</p>
        {error.issues.length > 1 && (
          <ul>
            {error.issues.map(({ path, message }) => (
              <li key={`${path.join('.')} ${message}`}>
                <code>{path.join('.')}</code> {withCode(message)}
              </li>
            ))}
          </ul>
        )}
        {error.hint && <p>{withCode(error.hint)}</p>}
        {children}
        <div className={styles.facts}>
          {onRetry && (
            <Button size="small" onPress={onRetry}>
              Try again
            </Button>
          )}
          {error.requestId && (
            <span>
              Request <code>{error.requestId}</code>
            </span>
          )}
          <CopyButton text={supportText(error)} label="Copy for support" />
        </div>
      </div>
    </div>
  );
}
