import type { UploadedAttachment } from '@redpen/client';
import type { Overlay } from '../overlay.ts';

/** The files of a comment that is being written, which are uploaded at once. */
export class Attached {
  files: readonly UploadedAttachment[] = [];
  /** Names of files that are on their way. */
  uploading: readonly string[] = [];
  readonly #overlay: Overlay;

  constructor(overlay: Overlay) {
    this.#overlay = overlay;
  }

  /** Rejects with the sentence of the service, or if there is no connection. */
  async add(file: File): Promise<void> {
    const { client, settings } = this.#overlay;
    const { organizationId, documentId } = settings;
    this.uploading = [...this.uploading, file.name];
    this.#overlay.draw();
    try {
      const { uploadsOf } = await import('@redpen/client/uploads');
      const { attachments } = uploadsOf(client!.connection);
      const added = await attachments.upload(file, { organizationId, documentId });
      this.files = [...this.files, added];
    } finally {
      const at = this.uploading.indexOf(file.name);
      this.uploading = this.uploading.filter((_, index) => index !== at);
      this.#overlay.draw();
    }
  }

  remove(file: UploadedAttachment): void {
    this.files = this.files.filter((one) => one !== file);
    this.#overlay.draw();
  }

  /** The field of a comment that names them. */
  get field(): { attachments?: { attachmentId: UploadedAttachment['attachmentId'] }[] } {
    const attachments = this.files.map(({ attachmentId }) => ({ attachmentId }));
    return attachments.length > 0 ? { attachments } : {};
  }
}
