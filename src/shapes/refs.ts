/** Identifies a document within an API key. */
export interface DocumentRef {
  organizationId: string;
  documentId: string;
}

/** Identifies an annotation within an API key. */
export interface AnnotationRef extends DocumentRef {
  annotationId: string;
}
