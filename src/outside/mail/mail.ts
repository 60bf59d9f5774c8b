export interface MailMessage {
  to: { address: string; name?: string | undefined };
  fromName?: string | undefined;
  replyTo?: string | undefined;
  subject: string;
  text: string;
  html: string;
  /** The part before the @; every attempt has the same, so that mail readers drop a message that arrives twice. */
  messageId: string;
  /** A template stored at the provider, used in place of the texts. */
  template?: { id: string; data: Record<string, unknown> } | undefined;
}

/** The operator's own SMTP server, or a provider with the key and sender address of the workspace. */
export type MailTransport = { type: 'smtp' } | { type: 'sendgrid'; apiKey: string; from: string };

/** The mail was not accepted. With `permanent`, a retry is pointless. */
export class MailFailure extends Error {
  override name = 'MailFailure';
  readonly kind: 'temporary' | 'permanent';
  /** True if the server itself fails, so that the next message would fail too. */
  readonly affectsAll: boolean;

  constructor(
    kind: 'temporary' | 'permanent',
    message: string,
    options: { cause?: unknown; affectsAll?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.affectsAll = options.affectsAll ?? false;
  }
}

export interface Mail {
  /** Sends a message. Throws only `MailFailure`. */
  send(message: MailMessage, carrier: MailTransport): Promise<void>;
}
