/** Names a document among those of an API key. */
export interface DocumentRef {
  organizationId: string;
  documentId: string;
}

/** Names an annotation among those of an API key. */
export interface AnnotationRef extends DocumentRef {
  annotationId: string;
}
