import type { JsonNode } from '../../json/json-node.ts';
import { quoted, TemplateError } from '../../problems.ts';
import { isTemplateObject, KeyVaultReference, ManagedSecretReference, type TemplateValue } from '../../values/value.ts';
import { knownText } from '../tree.ts';

/**
 * The values of the parameters of a deployment by name, each written on its own or all by one expression. `value` evaluates a
 * part. Throws TemplateError.
 */
export function givenValues(
  section: JsonNode | undefined,
  value: (node: JsonNode) => TemplateValue,
): Map<string, TemplateValue> {
  if (section === undefined) return new Map();
  if (section.kind === 'object')
    return new Map([...section.members].map(([name, node]) => [name, givenValue(name, value(node))]));
  const all = section.kind === 'string' ? value(section) : undefined;
  if (!isTemplateObject(all)) throw new TemplateError('Structure', 'parameters of a deployment must be an object');
  return new Map(Object.entries(all).map(([name, input]) => [name, givenValue(name, input)]));
}

/** The value of a parameter that a deployment inside of a template gives. Throws TemplateError for none. */
function givenValue(name: string, input: TemplateValue): TemplateValue {
  if (input instanceof ManagedSecretReference) return input;
  const value = isTemplateObject(input) ? input['value'] : undefined;
  if (value !== undefined) return value;
  const reference = isTemplateObject(input) ? input['reference'] : undefined;
  const { keyVault, secretName, secretVersion } = isTemplateObject(reference) ? reference : {};
  const vault = isTemplateObject(keyVault) ? keyVault['id'] : undefined;
  const version = secretVersion === undefined ? undefined : knownText(secretVersion, 'secretVersion of a parameter');
  if (vault !== undefined && secretName !== undefined) {
    return new KeyVaultReference(
      knownText(vault, 'vault of a parameter'),
      knownText(secretName, 'secretName of a parameter'),
      version,
    );
  }
  const message = `The parameter ${quoted(name)} of a deployment needs a value, a reference to Key Vault, or a managedSecret`;
  throw new TemplateError('Structure', message);
}
