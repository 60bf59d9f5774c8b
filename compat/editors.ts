// Live editors.
import { openEditor } from '@redpen/client/editors';
import { equal, refusal, type Sections, settled, untilOpen } from './actors.ts';

export const editorSections: Sections = {
  async 'users share a text, and leave no connection behind'(actors) {
    const editor = { organizationId: actors.stage.organizationId, documentId: 'd5', editorId: 'text' };
    const [mine, theirs] = [openEditor(actors.user, editor), openEditor(actors.other, editor)];
    try {
      await Promise.all([mine.synced, theirs.synced]);
      const read = new Promise<string>((resolve) => {
        const text = theirs.ydoc.getText('content');
        text.observe(() => resolve(text.toString()));
      });
      mine.ydoc.getText('content').insert(0, 'Ünïcode 🖊');
      equal(await read, 'Ünïcode 🖊');
      await settled(mine, ({ saved, status }) => saved && status === 'live');
      await untilOpen(actors, 'redpen_realtime_connections', 2);
    } finally {
      for (const one of [mine, theirs]) one.close();
    }
    equal([mine.get().status, theirs.get().status], ['ended', 'ended']);
    await untilOpen(actors, 'redpen_realtime_connections', 0);
    const later = openEditor(actors.other, editor);
    await later.synced;
    equal(later.ydoc.getText('content').toString(), 'Ünïcode 🖊');
    later.close();
    await untilOpen(actors, 'redpen_realtime_connections', 0);
  },

  async 'an editor that may not be opened fails with a reason'(actors) {
    const editor = { organizationId: actors.stage.organizationId, documentId: 'none', editorId: 'text' };
    const missing = openEditor(actors.user, editor);
    const error = await refusal(missing.synced);
    equal([error.status, error.code, missing.get().status], ['PERMISSION_DENIED', 'no-access', 'failed']);
    missing.close();
    await untilOpen(actors, 'redpen_realtime_connections', 0);
  },
};
