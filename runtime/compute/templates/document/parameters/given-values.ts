import { isObject } from '../../../../base/json.ts';
import { nowhere, type Problems, TemplateError } from '../../problems.ts';
import { fromJson, KeyVaultReference, SecretKeyReference, type TemplateValue } from '../../values/value.ts';
import type { ParameterInput } from '../context.ts';
import { attempt, managedSecret } from '../tree.ts';

/** The values that the caller gives, by the names of their parameters. Problems are reported, also of other shapes. */
export function givenValues(
  given: Readonly<Record<string, ParameterInput>>,
  problems: Problems,
): Map<string, TemplateValue> {
  const values = new Map<string, TemplateValue>();
  for (const [name, input] of Object.entries(given)) {
    const position = { ...nowhere, path: `parameters.${name.slice(0, 100)}` };
    const value = attempt(position, problems, () => inputValue(input));
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

const forms = 'value, managedSecret, secretKeyRef {name, key}, or reference {keyVault {id}, secretName}';

function inputValue(input: unknown): TemplateValue {
  if (isObject(input)) {
    const { value, managedSecret: name, secretKeyRef, reference } = input;
    if (Object.keys(input).length > 1) throw new TemplateError('Parameter', `A parameter has one of ${forms}`);
    if (value !== undefined) return plain(value);
    if (name !== undefined) return managedSecret(typeof name === 'string' ? name : null);
    if (isObject(secretKeyRef)) return secretKey(secretKeyRef['name'], secretKeyRef['key']);
    if (isObject(reference)) return vaultSecret(reference);
  }
  throw new TemplateError('Parameter', `The value of a parameter must be an object with ${forms}`);
}

function plain(value: unknown): TemplateValue {
  try {
    return fromJson(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TemplateError('Parameter', `The value of a parameter is refused: ${error.message}`);
  }
}

function secretKey(name: unknown, key: unknown): TemplateValue {
  const isName = typeof name === 'string' && /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(name);
  if (isName && typeof key === 'string' && /^[-._a-zA-Z0-9]{1,253}$/.test(key))
    return new SecretKeyReference(name, key);
  throw new TemplateError(
    'Parameter',
    'secretKeyRef must have the name of a Secret of the namespace, and one of its keys',
  );
}

function vaultSecret({ keyVault, secretName, secretVersion }: Record<string, unknown>): TemplateValue {
  const id = isObject(keyVault) ? keyVault['id'] : undefined;
  const isVersion = secretVersion === undefined || typeof secretVersion === 'string';
  if (typeof id === 'string' && typeof secretName === 'string' && isVersion) {
    return new KeyVaultReference(id, secretName, secretVersion);
  }
  throw new TemplateError('Parameter', 'reference must have keyVault with an id, and secretName');
}
