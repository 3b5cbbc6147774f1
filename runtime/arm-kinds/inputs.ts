import type { BodySecret } from '../api/arm/body-secrets.ts';
import type { ArmReference, SecretKeyReference, WellKnownReference } from '../api/common-schemas.ts';
import type { FieldTree } from '../api/types.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { normalizeTexts } from '../base/text/normalize.ts';

/** Something outside the object that its ARM body is made of. */
export type Input =
  | { readonly type: 'reference'; readonly path: string; readonly reference: ArmReference }
  | { readonly type: 'wellKnown'; readonly path: string; readonly name: string }
  | { readonly type: 'literal'; readonly path: string; readonly value: string }
  | { readonly type: 'secret'; readonly path: string; readonly name: string; readonly key: string | undefined }
  /** An administrator that the operator generates and keeps in a Secret; `request` is for a new password. */
  | {
      readonly type: 'credentials';
      readonly path: string;
      readonly login: string;
      readonly name: string;
      readonly request: string | undefined;
    }
  | { readonly type: 'configMap'; readonly path: string; readonly name: string; readonly key: string }
  /** An answer of Azure about a resource: of a GET, or of a POST that lists. */
  | ({ readonly type: 'azure'; readonly path: string } & AzureSource)
  | ({ readonly type: 'keyVault'; readonly path: string } & KeyVaultSource)
  /** The current version of a ManagedSecret. */
  | { readonly type: 'managedSecret'; readonly path: string; readonly name: string }
  /** A value that an expression of the template language makes of secrets, which are inputs before it, by their paths. */
  | {
      readonly type: 'expression';
      readonly path: string;
      readonly expression: string;
      readonly secrets: readonly string[];
    };

/** Whether the value of an input of this type is a secret. */
const isSecretType: Readonly<Record<Input['type'], boolean>> = {
  reference: false,
  wellKnown: false,
  literal: false,
  configMap: false,
  secret: true,
  credentials: true,
  azure: true,
  keyVault: true,
  managedSecret: true,
  expression: true,
};

/** Whether the value of the input is a secret, which may be shown nowhere. */
export function isSecretInput({ type }: Pick<Input, 'type'>): boolean {
  return isSecretType[type];
}

/** An answer of Azure, as an ArmResource names it. */
export type AzureSource = NonNullable<BodySecret['secrets'][number]['azure']>;
/** A secret of a Key Vault, as an ArmResource names it. */
export type KeyVaultSource = NonNullable<BodySecret['secrets'][number]['keyVault']>;

/** The resolved values of the inputs, by path: an ARM id, a ConfigMap's value, or a SecretValue. */
export type ResolvedInputs = ReadonlyMap<string, unknown>;

/** Every input that a spec names, with its path in the spec. */
export function inputsOf(tree: FieldTree, spec: JsonObject, wellKnownNames: 'roles' | 'as given' = 'roles'): Input[] {
  const inputs = walk(tree, spec, '');
  if (wellKnownNames === 'roles') return inputs;
  return inputs.map((input) =>
    input.type === 'wellKnown' ? { type: 'literal', path: input.path, value: input.name } : input,
  );
}

function walk(tree: FieldTree, value: unknown, path: string): Input[] {
  if (value === undefined || value === null) return [];
  switch (tree.type) {
    case 'reference':
    case 'wellKnownReference': {
      const reference = normalizeTexts(value as WellKnownReference);
      const { wellKnownName } = reference;
      return [
        wellKnownName ? { type: 'wellKnown', path, name: wellKnownName } : { type: 'reference', path, reference },
      ];
    }
    case 'secret':
    case 'secretMap': {
      const { name, key } = normalizeTexts(value as Partial<SecretKeyReference> & { name: string });
      return [{ type: 'secret', path, name, key }];
    }
    case 'configMap': {
      const { name, key } = normalizeTexts(value as SecretKeyReference);
      return [{ type: 'configMap', path, name, key }];
    }
    case 'array':
      return Array.isArray(value) && tree.items
        ? value.flatMap((item, index) => walk(tree.items as FieldTree, item, `${path}[${index}]`))
        : [];
    case 'map':
      return isObject(value) && tree.values
        ? Object.entries(value).flatMap(([name, member]) => walk(tree.values as FieldTree, member, `${path}{${name}}`))
        : [];
    case 'object':
      return isObject(value)
        ? Object.entries(tree.properties ?? {}).flatMap(([name, property]) =>
            walk(property, value[name], path === '' ? name : `${path}.${name}`),
          )
        : [];
    default:
      return [];
  }
}
