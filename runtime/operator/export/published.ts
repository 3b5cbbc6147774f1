import type { KeyRotation, ValueSource } from '../../api/types.ts';
import { valueAt } from '../../arm-kinds/body/value-path.ts';
import { isObject } from '../../base/json.ts';

/** The values that the list action gives for the names of a pair, by name. */
export function pairedValues(
  { counterparts }: KeyRotation,
  secrets: Readonly<Record<string, ValueSource>>,
  answer: unknown,
): Record<string, string> {
  const names = Object.entries(counterparts).flat();
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = valueAt(answer, secrets[name]?.path ?? name);
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/**
 * Replaces one side's keys with the other side's keys in Azure's answers, also within connection strings and in
 * answers of other actions. All exports are computed from the result.
 */
export function showOnly<T>(
  side: 'primary' | 'secondary',
  { counterparts }: KeyRotation,
  values: Readonly<Record<string, string>>,
  answer: T,
): T {
  const swaps = Object.entries(counterparts)
    .map(([primary, secondary]) => (side === 'primary' ? [secondary, primary] : [primary, secondary]))
    .flatMap(([hidden = '', shown = '']) => {
      const [from, to] = [values[hidden], values[shown]];
      return from !== undefined && to !== undefined ? [{ from, to }] : [];
    })
    // Whole connection strings before the keys in them.
    .sort((a, b) => b.from.length - a.from.length);
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return swaps.reduce((text, { from, to }) => text.replaceAll(from, () => to), value);
    if (Array.isArray(value)) return value.map(replace);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replace(member)]));
  };
  return replace(answer) as T;
}
