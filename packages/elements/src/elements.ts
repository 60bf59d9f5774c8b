import { RpProvider } from './element/provider.ts';
import { register } from './element/register.ts';
import { RpPins } from './pins/pins.ts';

export type { Pin, PinnedFinding } from './pins/pin.ts';
export { RpPins, RpProvider };

// First the provider, so that it is there when the elements within it ask for it.
register('rp-provider', RpProvider);
register('rp-pins', RpPins);

declare global {
  interface HTMLElementTagNameMap {
    'rp-provider': RpProvider;
    'rp-pins': RpPins;
  }
}
