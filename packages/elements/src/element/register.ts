/**
 * Registers an element, unless the page has already one of this name, such as another version of this package. Servers
 * that render pages have no elements.
 */
export function register(name: `rp-${string}`, element: CustomElementConstructor): void {
  const { customElements: registry } = globalThis;
  if (registry && !registry.get(name)) registry.define(name, element);
}
