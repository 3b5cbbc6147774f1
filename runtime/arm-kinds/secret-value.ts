import { SecretValue } from '../base/secret-value.ts';

export { SecretValue } from '../base/secret-value.ts';

/** A copy for the wire, with the secrets in it. Goes into a request and nowhere else. */
export function revealSecrets(value: unknown): unknown {
  if (value instanceof SecretValue) return value.reveal();
  if (Array.isArray(value)) return value.map(revealSecrets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, revealSecrets(member)]));
}

/** Every text within the secrets of a body, for cutting them out of Azure's messages about it. */
export function secretTexts(value: unknown): string[] {
  if (value instanceof SecretValue) return textsOf(value.reveal());
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(secretTexts);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(textsOf);
}

/** Whether a SecretValue occurs in the value, at any depth. */
export function hasSecrets(value: unknown): boolean {
  if (value instanceof SecretValue) return true;
  return value !== null && typeof value === 'object' && Object.values(value).some(hasSecrets);
}

const secretName =
  /(password|passwd|pwd|secret|passphrase|connectionstring|(access|account|admin|api|authorization|master|primary|private|secondary|shared|storage)key|sas(token|ur[il])|sharedaccesssignature|token|^key[12])s?$/i;

/** Words that an access policy of a vault lists under `secrets`. */
const permission = /^(all|get|list|set|delete|backup|restore|recover|purge)$/i;

/** Texts that are no secrets: the challenge that proves a domain stands in DNS, an instrumentation key in web pages. */
const isPublished = (name: string, text: unknown) =>
  /^(dns)?validationtoken$/i.test(name) || (typeof text === 'string' && /^InstrumentationKey=[\w-]+;/.test(text));

/** When a key was made, which Azure lists under the key's name. */
const time = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,20}(Z|[+-]\d{2}:?\d{2})$/;

/** Whether a text, or a list of texts, has a name that says that it is secret: `clientSecret`, `client_secret`. */
export function isSecretText(name: string, member: unknown): boolean {
  if (Array.isArray(member) && member.every((item) => permission.test(String(item)))) return false;
  // Azure's own template of a connection string, with placeholders for user and password.
  if (typeof member === 'string' && /^[a-z+]+:\/\/<user>:<password>@[^@]*$/.test(member)) return false;
  if (isPublished(name, member) || (typeof member === 'string' && time.test(member))) return false;
  return isText(member) && secretName.test(name.replaceAll(/[_-]/g, ''));
}

/** Drops texts, and lists of texts, whose name says that they are secret; ARM gives some back, and a status is no place for them. */
export function withoutSecretMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecretMembers);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name, member]) => !isSecretText(name, member));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutSecretMembers(member)]));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.some((item) => typeof item === 'string'));
}
