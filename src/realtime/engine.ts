import { type Document, Hocuspocus } from '@hocuspocus/server';
import type { Session } from './connection/hooks.ts';

/** The engine, but for what it does when a document cannot be loaded. */
export class Engine extends Hocuspocus<Session> {
  /**
   * Several clients may wait for one document to be loaded, and each is told when that fails. One that is told that it
   * has no access, as the engine would, does not come back.
   */
  override async createDocument(
    ...[name, request, socketId, connection, context]: Parameters<Hocuspocus<Session>['createDocument']>
  ): Promise<Document> {
    try {
      return await super.createDocument(name, request, socketId, connection, context);
    } catch (error) {
      // Changes over REST come without one.
      (context as Partial<Session> | undefined)?.gate?.close('busy');
      throw error;
    }
  }
}
