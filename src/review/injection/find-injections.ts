import type { Injection } from './injection.ts';

export function findInjections(_text: string, _where: string): Injection[] {
  return [];
}
