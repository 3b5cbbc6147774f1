import { SecretValue } from '../../base/secret-value.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { type Position, type Problems, quoted } from '../templates/problems.ts';
import {
  KeyVaultReference,
  ManagedSecretReference,
  SecretKeyReference,
  secretOf,
  type TemplateValue,
  Unknown,
} from '../templates/values/value.ts';
import type { NamedSecret, TemplateSecret } from './template-manifest.ts';
import type { SpecialValue, TokenizedBody } from './tokens.ts';

interface Made {
  readonly object: KubeObject;
  readonly secrets: Readonly<Record<string, NamedSecret>>;
}

interface Surroundings {
  readonly tokens: TokenizedBody;
  readonly kind: string;
  /** Of the resource. */
  readonly position: Position;
  readonly problems: Problems;
}

/**
 * The object with its unknown values in place of their tokens, and its Secrets with their values. Undefined, with a problem
 * for each place, if a secret would have to stand in the object itself.
 */
export function finishedObject(
  { object, secrets }: Made,
  { tokens, kind, position, problems }: Surroundings,
): { readonly object: KubeObject; readonly secrets: readonly TemplateSecret[] } | undefined {
  let isComplete = true;
  const refuse = ({ path }: SpecialValue, message: string) => {
    isComplete = false;
    problems.add('Secret', { ...position, path: `${position.path}.${path}` }, message);
  };
  const spec: unknown = tokens.restored(object['spec'], (special) => {
    const message = clearText(special.value, kind);
    if (message !== undefined) refuse(special, message);
  });
  const made = Object.entries(secrets).map(([name, { data, isMap }]): TemplateSecret => {
    const entries = Object.entries(data).map(([key, text]): [string, TemplateValue] => {
      const special = tokens.special(text);
      if (!special) return [key, secretOf(text as string)];
      const message = noText(special.value);
      if (message !== undefined) refuse(special, message);
      return [key, special.value];
    });
    const plain = Object.keys(data).filter((key) => !tokens.special(data[key]));
    return { name, data: Object.fromEntries(entries), plain, isMap };
  });
  return isComplete ? { object: { ...object, spec }, secrets: made } : undefined;
}

/** Why the value cannot stand in a spec; undefined for one that is known after apply and no secret. */
function clearText(value: TemplateValue, kind: string): string | undefined {
  if (value instanceof Unknown && (value.isReference || !value.isSecret)) return undefined;
  if (value instanceof Unknown || value instanceof SecretValue) {
    return `The value is a secret, and the field of ${kind} takes none from a Secret: use a field that does, or no secure parameter`;
  }
  return unreadable(value);
}

/** Why the value cannot stand in a Secret. */
function noText(value: TemplateValue): string | undefined {
  if (value instanceof Unknown) return undefined;
  if (!(value instanceof SecretValue)) return unreadable(value);
  if (typeof value.reveal() === 'string') return undefined;
  return 'The value is a secret that is no string, which no Secret can hold: make it a string';
}

function unreadable(value: TemplateValue): string {
  if (value instanceof ManagedSecretReference) {
    return `The value of the ManagedSecret ${quoted(value.managedSecret)} can only be used in the body of a resource`;
  }
  if (value instanceof SecretKeyReference) {
    return `The value of the Secret ${quoted(value.name)} can only stand whole, in a field that takes it from a Secret, such as adminPassword; protectedSettings take all values of one Secret, whose keys are the names of the settings`;
  }
  const name = value instanceof KeyVaultReference ? ` ${quoted(value.secretName)}` : '';
  return `The operator does not read the Key Vault secret${name}: give the parameter a secretKeyRef`;
}
