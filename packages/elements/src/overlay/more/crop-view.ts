import { html, svg, type TemplateResult } from 'lit/html.js';
import type { Crop } from './crop.ts';

/** The pictures of a page are tiles, which a view box cuts out. */
export function cropView({ area, element, tiles }: Crop, name: string): TemplateResult {
  return html`<svg class="crop" viewBox="${area.x} ${area.y} ${area.width} ${area.height}" role="img" aria-label=${name}>
    ${tiles.map(
      ({ url, x, y, width, height }) =>
        svg`<image href=${url} x=${x} y=${y} width=${width} height=${height} preserveAspectRatio="none"></image>`,
    )}
    <rect
      x=${element.x}
      y=${element.y}
      width=${element.width}
      height=${element.height}
      vector-effect="non-scaling-stroke"
    ></rect>
  </svg>`;
}
