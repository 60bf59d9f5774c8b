import type { Comment } from '@redpen/client';
import { el } from './dom.ts';
import { place, redpen } from './redpen.ts';

type Attachment = NonNullable<Comment['attachments']>[number];

interface Picture {
  item: HTMLElement;
  /** Undefined until it is uploaded. */
  attachmentId?: string;
}

/** A button that uploads pictures for the comment that is being written. */
export function attachPictures(fail: (error: unknown) => void) {
  let pictures: readonly Picture[] = [];
  const list = el('ul', { className: 'uploads', ariaLabel: 'Pictures' });
  const input = el('input', { type: 'file', accept: 'image/*', className: 'visually-hidden' });

  async function upload(file: File): Promise<void> {
    const stop = new AbortController();
    const progress = el('progress', { max: 1, value: 0, ariaLabel: `Upload of ${file.name}` });
    const picture: Picture = { item: el('li', {}, file.name, progress) };
    const remove = () => {
      stop.abort();
      picture.item.remove();
      pictures = pictures.filter((one) => one !== picture);
      input.focus();
    };
    picture.item.append(
      el(
        'button',
        { type: 'button', className: 'quiet', ariaLabel: `Remove ${file.name}`, onclick: remove },
        '×',
      ),
    );
    list.append(picture.item);
    pictures = [...pictures, picture];
    try {
      const { attachmentId } = await redpen.attachments.upload(file, {
        ...place,
        fileName: file.name,
        signal: stop.signal,
        onProgress: ({ sent, total }) => {
          progress.value = sent / total;
        },
      });
      picture.attachmentId = attachmentId;
      progress.remove();
    } catch (error) {
      if (stop.signal.aborted) return;
      remove();
      fail(error);
    }
  }

  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) void upload(file);
    input.value = '';
  });
  return {
    list,
    button: el('label', { className: 'quiet upload' }, input, 'Add a picture'),
    isUploading: () => pictures.some(({ attachmentId }) => attachmentId === undefined),
    /** Takes the pictures out of the form, for a comment. */
    take(): readonly Picture[] {
      const taken = pictures;
      pictures = [];
      list.replaceChildren();
      return taken;
    },
    giveBack(taken: readonly Picture[]): void {
      pictures = [...taken, ...pictures];
      list.prepend(...taken.map(({ item }) => item));
    },
  };
}

/** An attachment of a comment. The link to its file expires after some time, and is asked for again then. */
export function attachmentView({ attachmentId, url, fileName, name, mimeType }: Attachment): HTMLElement {
  const label = String(fileName ?? name ?? 'Picture');
  if (!url || !mimeType?.startsWith('image/')) return el('span', { className: 'file' }, label);
  const image = el('img', { src: url, alt: label });
  const renew = async () => {
    const renewed = await redpen.attachments.get({ ...place, attachmentId: String(attachmentId) });
    image.src = renewed.url ?? '';
  };
  image.addEventListener('error', () => void renew().catch(() => {}), { once: true });
  return image;
}
