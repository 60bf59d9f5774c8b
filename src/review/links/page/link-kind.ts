import { z } from 'zod';

/** Use of an address on its page; it decides the type and severity of findings. */
export const linkKind = z.enum([
  'anchor',
  'area',
  'form',
  'frame',
  'refresh',
  'image',
  'media',
  'script',
  'stylesheet',
  'css-resource',
  'icon',
  'manifest',
  'preload',
  'relation',
  'embed',
  'citation',
  'meta',
]);
export type LinkKind = z.infer<typeof linkKind>;
