import type { VaultSecret } from '../../azure/key-vault/vault-items.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { VolumeObject } from '../options/volume-spec.ts';
import { mostValueLength } from './conversion.ts';
import { secretContent } from './formats.ts';

/**
 * The text of one member of a secret that is a JSON document. `key` is the name of a member of the document, or a JSON
 * Pointer (RFC 6901) where it starts with `/`. A text is its characters; a number, a boolean, an object and a list are
 * JSON without blanks.
 *
 * @throws AZ_VOLUME_CONTENT, with the key and nothing of the value
 */
export function jsonMember(secret: { readonly name: string; readonly value: string }, key: string): string {
  const fail = (reason: string) =>
    new AzimuthError(
      'AZ_VOLUME_CONTENT',
      `The secret "${secret.name}" has no text for the JSON key "${key}": ${reason}`,
    );
  if (secret.value.length > mostValueLength) throw fail(`it has more than ${mostValueLength} characters`);
  let member: unknown;
  try {
    member = JSON.parse(secret.value);
  } catch {
    // The parser's own message quotes the secret, so it is no cause either.
    throw fail('it is no JSON document');
  }
  for (const name of stepsOf(key)) {
    const isMember = Array.isArray(member) ? /^(?:0|[1-9]\d*)$/.test(name) : isObject(member);
    if (!isMember || !Object.hasOwn(member as object, name)) throw fail('the document has no such member');
    member = (member as Record<string, unknown>)[name];
  }
  if (typeof member === 'string') return member;
  if (member === null) throw fail('the member is null');
  if (typeof member === 'number' && Math.abs(member) > Number.MAX_SAFE_INTEGER) {
    throw fail('the number is too large to be read exactly; write it in quotes');
  }
  return JSON.stringify(member);
}

/** The content of a file with one member. Throws AZ_VOLUME_CONTENT. */
export async function jsonMemberContent(request: VolumeObject, secret: VaultSecret, key: string): Promise<Buffer> {
  const value = jsonMember({ name: request.name, value: secret.value }, key);
  return secretContent({ ...request, format: 'raw' }, { ...secret, value });
}

function stepsOf(key: string): string[] {
  if (!key.startsWith('/')) return [key];
  const steps = key.slice(1).split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
