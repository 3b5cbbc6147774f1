import { invalidValue, required } from './status.ts';
import type { Cause, Unstructured } from './types.ts';

/** Which rule a kind's names follow (k8s.io/apimachinery/pkg/util/validation and api/validation/path). */
export type NameRule = 'subdomain' | 'label' | 'label1035' | 'path';

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const matches = (pattern: string, text: string) => new RegExp(`^(?:${pattern})$`).test(text);

const tooLong = (limit: number) => `must be no more than ${limit} characters`;

const rules: Record<NameRule, (name: string) => string[]> = {
  subdomain: (name) => [
    ...(name.length > 253 ? [tooLong(253)] : []),
    ...(matches(subdomainPattern, name)
      ? []
      : [
          `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`,
        ]),
  ],
  label: (name) => [
    ...(name.length > 63 ? [tooLong(63)] : []),
    ...(matches(labelPattern, name)
      ? []
      : [
          `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelPattern}')`,
        ]),
  ],
  label1035: (name) => [
    ...(name.length > 63 ? [tooLong(63)] : []),
    ...(matches('[a-z]([-a-z0-9]*[a-z0-9])?', name)
      ? []
      : [
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ]),
  ],
  path: (name) => [
    ...(name === '.' || name === '..' ? [`may not be '${name}'`] : []),
    ...['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`),
  ],
};

const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

/** Undefined for a qualified name such as `example.com/part`. */
export function labelKeyProblem(key: string): string | undefined {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2)
    return `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedName}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  if (parts.length === 2) {
    if (parts[0] === '') return 'prefix part must be non-empty';
    const problem = rules.subdomain(parts[0] as string)[0];
    if (problem) return `prefix part ${problem}`;
  }
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return `name part ${tooLong(63)}`;
  if (!matches(qualifiedName, name))
    return `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualifiedName}')`;
  return undefined;
}

/** Why the value is no label value; undefined if it is one. */
export function labelValueProblem(value: string): string | undefined {
  if (value.length > 63) return tooLong(63);
  if (!matches(`(${qualifiedName})?`, value))
    return `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${qualifiedName})?')`;
  return undefined;
}

/** The suffix of generated names: five of the characters that form no words. */
export function randomSuffix(): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  return Array.from({ length: 5 }, () => alphabet[Math.floor(Math.random() * alphabet.length)]).join('');
}

/** `generateName` plus a suffix, cut so that the whole fits a DNS label. */
export const generatedName = (base: string) => `${base.slice(0, 58)}${randomSuffix()}`;

/** Rules of every object's metadata, as api/validation/objectmeta has them. */
export function validateMetadata(metadata: Unstructured, rule: NameRule): Cause[] {
  const causes: Cause[] = [];
  const name = metadata['name'];
  if (!name) causes.push(required('metadata.name', 'name or generateName is required'));
  else for (const why of rules[rule](String(name))) causes.push(invalidValue('metadata.name', name, why));
  for (const [key, value] of Object.entries(metadata['labels'] ?? {})) {
    const keyProblem = labelKeyProblem(key);
    if (keyProblem) causes.push(invalidValue('metadata.labels', key, keyProblem));
    const valueProblem = labelValueProblem(String(value));
    if (valueProblem) causes.push(invalidValue('metadata.labels', value, valueProblem));
  }
  let size = 0;
  for (const [key, value] of Object.entries(metadata['annotations'] ?? {})) {
    const problem = labelKeyProblem(key.toLowerCase());
    if (problem) causes.push(invalidValue('metadata.annotations', key, problem));
    size += key.length + Buffer.byteLength(String(value));
  }
  if (size > 256 * 1024)
    causes.push({
      reason: 'FieldValueTooLong',
      message: 'Too long: must have at most 262144 bytes',
      field: 'metadata.annotations',
    });
  for (const finalizer of metadata['finalizers'] ?? []) {
    const problem = labelKeyProblem(String(finalizer));
    if (problem) causes.push(invalidValue('metadata.finalizers', finalizer, problem));
  }
  for (const owner of metadata['ownerReferences'] ?? []) {
    for (const member of ['apiVersion', 'kind', 'name', 'uid']) {
      if (!owner?.[member])
        causes.push(
          invalidValue(
            `metadata.ownerReferences.${member}`,
            '',
            `${member === 'apiVersion' ? 'version' : member} must not be empty`,
          ),
        );
    }
  }
  const controllers = (metadata['ownerReferences'] ?? []).filter((owner: Unstructured) => owner['controller'] === true);
  if (controllers.length > 1)
    causes.push(
      invalidValue('metadata.ownerReferences', controllers, 'Only one reference can have Controller set to true.'),
    );
  return causes;
}
