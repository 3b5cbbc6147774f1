/** The values of the body of an ArmResource that come from Secrets: `spec.bodySecrets`. */
import type { BodySecret } from '../../api/arm/body-secrets.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { SecretValue, secretMark } from '../../base/secret-value.ts';
import { normalizeTexts } from '../../base/text/normalize.ts';
import type { Input, ResolvedInputs } from '../inputs.ts';
import { setOwn } from '../values/json-object.ts';

const pathOf = (index: number) => `bodySecrets[${index}]`;

/** The inputs of these values: each Secret, then the expression over them. */
export function bodySecretInputs(entries: readonly BodySecret[] = []): Input[] {
  return entries.flatMap(({ expression, secrets }, index): Input[] => {
    const path = pathOf(index);
    const [first] = secrets;
    const isOne = expression === undefined && first?.name !== undefined;
    if (isOne) return secrets.slice(0, 1).map((source) => sourceInput(source, path));
    const values = secrets.map((source, place) => sourceInput(source, `${path}.secrets[${place}]`));
    const paths = values.map((each) => each.path);
    return [
      ...values,
      { type: 'expression', path, expression: expression ?? "[parameters('secret0')]", secrets: paths },
    ];
  });
}

function sourceInput(
  { name = '', key = '', azure, keyVault, managedSecret }: BodySecret['secrets'][number],
  path: string,
): Input {
  if (azure) return { type: 'azure', path, ...azure };
  if (keyVault) return { type: 'keyVault', path, ...keyVault };
  if (managedSecret !== undefined) return { type: 'managedSecret', path, ...normalizeTexts({ name: managedSecret }) };
  return { type: 'secret', path, ...normalizeTexts({ name, key }) };
}

/** The steps of a JSON pointer. */
function stepsOf(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A JSON pointer of these steps. */
export function pointerOf(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Puts the values into a body, each as a SecretValue; a mark where an input is absent, as in a plan. Changes the body.
 * Throws AZ_TERMINAL for a path that the body does not have.
 */
export function withBodySecrets(
  body: JsonObject,
  entries: readonly BodySecret[] = [],
  inputs: ResolvedInputs,
): JsonObject {
  for (const [index, { path }] of entries.entries()) {
    const steps = stepsOf(path);
    const last = steps.pop() ?? '';
    const parent = steps.reduce<unknown>(memberAt, body);
    if (memberAt(parent, last) === undefined) {
      const where = `spec.${pathOf(index)}.path`;
      throw new AzimuthError('AZ_TERMINAL', `The body has nothing at ${path}, which ${where} names: put a text there`);
    }
    setOwn(parent as JsonObject, last, inputs.get(pathOf(index)) ?? new SecretValue(secretMark));
  }
  return body;
}

function memberAt(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d{0,8})$/.test(step) ? value[Number(step)] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/**
 * An answer of Azure without the members at these paths. Azure may order lists and spell names otherwise: an index stands
 * for each item, and the case of names does not matter.
 */
export function withoutBodySecrets(live: JsonObject, entries: readonly BodySecret[] = []): JsonObject {
  return entries.reduce((shown, { path }) => without(shown, stepsOf(path)) as JsonObject, live);
}

function without(value: unknown, [step = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return rest.length === 0 ? [] : value.map((item) => without(item, rest));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (name.toLowerCase() !== step.toLowerCase()) setOwn(copy, name, member);
    else if (rest.length > 0) setOwn(copy, name, without(member, rest));
  }
  return copy;
}
