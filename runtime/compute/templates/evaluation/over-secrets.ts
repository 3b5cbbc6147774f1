/** Calls whose arguments are, or have in them, values of Secrets that the library never reads. */
import { SecretValue } from '../../../base/secret-value.ts';
import {
  isFromSecrets,
  isSecretReference,
  isTemplateObject,
  SecretKeyReference,
  type TemplateValue,
} from '../values/value.ts';
import { infoOf } from '../values/value-info.ts';

/** Functions that read no text inside of arrays and objects. */
const functionsOfShape: ReadonlySet<string> = new Set([
  ...['array', 'concat', 'empty', 'first', 'flatten', 'indexfromend', 'items', 'last', 'length', 'objectkeys'],
  ...['shallowmerge', 'skip', 'take', 'tryindexfromend', 'union'],
]);

/**
 * Whether the call asks for no more than whether there is a value, which conditions may depend on. A value of a Secret is
 * there.
 */
export function asksWhetherEmpty(name: string, values: readonly TemplateValue[]): boolean {
  const lower = name.toLowerCase();
  const isSecret = (value: TemplateValue) => value instanceof SecretValue || value instanceof SecretKeyReference;
  if (lower === 'empty') return isSecret(values[0] ?? null);
  return lower === 'equals' && values.some((value) => value === null || value === '') && values.some(isSecret);
}

/** Whether the call reads the shape of its arguments alone, and no reference in them. */
export function readsShape(name: string, values: readonly TemplateValue[]): boolean {
  if (values.some(isSecretReference)) return false;
  return functionsOfShape.has(name) || (name === 'contains' && isTemplateObject(values[0]));
}

/** Whether the value has no reference to a secret but those of Secrets. */
export function isDeferrable(value: TemplateValue): boolean {
  if (typeof value !== 'object' || value === null || !infoOf(value).reference || isFromSecrets(value)) return true;
  return !isSecretReference(value) && Object.values(value).every((part) => isDeferrable(part as TemplateValue));
}
