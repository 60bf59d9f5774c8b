/** 128 random bits as four numbers. `crypto.randomUUID` is missing on pages that came over plain HTTP. */
export const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
