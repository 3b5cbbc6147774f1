import { armResource } from '../../api/arm/arm-resource.ts';
import type { BodySecret } from '../../api/arm/body-secrets.ts';
import { pointerOf } from '../../arm-kinds/body/body-secrets.ts';
import { hashedName } from '../../arm-kinds/kube-names.ts';
import { setOwn } from '../../arm-kinds/values/json-object.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { SecretValue, secretMark } from '../../base/secret-value.ts';
import { textOfSecret } from '../templates/evaluation/secret-expression.ts';
import {
  isFromSecrets,
  isSourceReference,
  isTemplateObject,
  KeyVaultReference,
  ManagedSecretReference,
  SecretKeyReference,
  type SourceReference,
  secretOf,
  type TemplateValue,
  Unknown,
} from '../templates/values/value.ts';
import type { NamedSecret } from './template-manifest.ts';
import type { SpecialValue, TokenizedBody } from './tokens.ts';

/** Whether an object may not have the value in clear text, and can have it from a Secret. */
export function isHidden(value: TemplateValue): boolean {
  if (value instanceof Unknown) return value.isSecret && !value.isReference;
  return value instanceof SecretValue || isFromSecrets(value);
}

/** A body for an ArmResource, with a mark in the place of each secret, and where the secrets come from. */
interface WithoutSecrets {
  readonly body: JsonObject;
  /** `spec.bodySecrets`. */
  readonly bodySecrets: readonly BodySecret[];
  readonly secrets: Readonly<Record<string, NamedSecret>>;
}

/** Takes the secrets out of a body. Those without a Secret of their own get one, by the name of the object. */
export function withoutSecrets(tokens: TokenizedBody, object: string): WithoutSecrets {
  const bodySecrets: BodySecret[] = [];
  const name = hashedName(object, `${armResource.group}/${armResource.kind} secrets`);
  const data: JsonObject = {};
  const visit = (value: unknown, steps: readonly (string | number)[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...steps, index]));
    if (isObject(value)) {
      const copy: JsonObject = {};
      for (const [member, part] of Object.entries(value)) setOwn(copy, member, visit(part, [...steps, member]));
      return copy;
    }
    const special = tokens.special(value);
    if (!special || !isHidden(special.value)) return value;
    if (special.value instanceof SecretValue && special.value.reveal() === null) return null;
    const { expression, values } = sourcesOf(special, tokens);
    const secrets = values.map((source) => {
      if (typeof source !== 'string') return sourceOf(source);
      const key = keyOf(special.path, Object.keys(data).length);
      data[key] = source;
      return { name, key };
    });
    bodySecrets.push({ path: pointerOf(steps), ...(expression !== undefined && { expression }), secrets });
    return secretMark;
  };
  const body = visit(tokens.body, []) as JsonObject;
  return { body, bodySecrets, secrets: Object.keys(data).length > 0 ? { [name]: { data, isMap: false } } : {} };
}

/** The expression of a secret, if it is more than one value, and its values: references, and tokens of others. */
function sourcesOf(
  { value, path }: SpecialValue,
  tokens: TokenizedBody,
): { readonly expression?: string; readonly values: readonly (SourceReference | string)[] } {
  if (isSourceReference(value)) return { values: [value] };
  if (value instanceof Unknown) return { values: [tokens.add(value, path)] };
  const { expression, sources } = textOfSecret(value);
  const values = sources.map((source) => {
    if (isSourceReference(source)) return source;
    const open = source.reveal();
    return tokens.add(typeof open === 'string' ? source : secretOf(JSON.stringify(open)), path);
  });
  return expression === "[parameters('secret0')]" ? { values } : { expression, values };
}

/** An entry of `secrets` of an ArmResource. */
export function sourceOf(source: SourceReference): BodySecret['secrets'][number] {
  if (source instanceof ManagedSecretReference) return { managedSecret: source.managedSecret };
  if (source instanceof SecretKeyReference) return { name: source.name, key: source.key };
  if (source instanceof KeyVaultReference) {
    const { vaultId: id, secretName: secret, secretVersion: version } = source;
    return { keyVault: { id, secret, ...(version !== undefined && { version }) } };
  }
  const { id, apiVersion, action, body } = source;
  const actionBody = isTemplateObject(body) ? { actionBody: body } : {};
  return { azure: { id, apiVersion, ...(action !== undefined && { action }), ...actionBody } };
}

const longestKey = 240;

/** A key of a Secret for the place; the index keeps long ones apart. */
function keyOf(path: string, index: number): string {
  const key = path.replaceAll(/[^\w.-]+/g, '.');
  return index === 0 && key.length <= longestKey ? key : `${key.slice(0, longestKey)}.${index}`;
}
