import { AzimuthError } from '../base/errors.ts';
import type { KindDefinition } from './types.ts';

const form = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** Order of discovery: versions of Kubernetes' form first, GA before beta before alpha, newest first; then by name. */
function compare(a: string, b: string): number {
  const [left, right] = [form.exec(a), form.exec(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : 1;
  const stage = ([, , word]: RegExpExecArray) => ({ alpha: 2, beta: 1 })[word ?? ''] ?? 0;
  return (
    stage(left) - stage(right) || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0)
  );
}

/**
 * The version of a CustomResourceDefinition that discovery prefers: the one that kubectl uses when none is named. Names
 * like v1api20240101 are not of Kubernetes' form, and of several such the first in the alphabet, the oldest, is preferred.
 *
 * @link https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority
 */
export function preferredVersion(names: readonly string[]): string | undefined {
  return [...names].sort(compare)[0];
}

/** The version a kind is stored and watched under. */
export function storedVersion({ versions, group, kind }: KindDefinition): string {
  const [first] = versions;
  if (!first) throw new AzimuthError('AZ_KIND_UNKNOWN', `The kind ${group}/${kind} has no version`);
  return first.name;
}
