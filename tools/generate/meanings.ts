import type { Meanings } from './catalogue.ts';

/** Whether a path of `meanings`, in which a step `*` is any one name, is this one. */
export function isPathOf(pattern: string, path: string): boolean {
  const steps = pattern.split('.');
  const names = path.split('.');
  return steps.length === names.length && steps.every((step, at) => step === '*' || step === names[at]);
}

/** The catalogue's own sentence about a field of a spec, by its path such as `spec.sku.name`. */
export function meaningAt(meanings: Meanings | undefined, path: string): string | undefined {
  const below = path.replace(/^spec\./, '');
  if (meanings === undefined || below === path) return undefined;
  return meanings[below] ?? Object.entries(meanings).find(([pattern]) => isPathOf(pattern, below))?.[1];
}
