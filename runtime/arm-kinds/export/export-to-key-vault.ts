import { createHash } from 'node:crypto';
import { v1Outputs } from '../../api/arm/key-vault-outputs.ts';
import type { KeyVaultDestination } from '../../api/common-schemas.ts';
import type { KindDefinition } from '../../api/types.ts';
import { tryParseDuration } from '../../base/duration.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { Input } from '../inputs.ts';

/** Destination and form of the values of an object that become secrets of a vault. */
export interface KeyVaultPlan {
  /** Name or URL of the vault; undefined: the one that `vaultReference` names. */
  readonly vault: string | undefined;
  /** Name of the secret, or the part before `-key` of its names. */
  readonly name: string;
  readonly flatten: boolean;
  /** Undefined: never. */
  readonly expiresMs: number | undefined;
}

/** Path of the input that `vaultReference` is. */
export const vaultReferencePath = 'operatorSpec.keyVault.vaultReference';

/** `operatorSpec.keyVault` of all kinds; only the catalogue's kinds have `keys`. */
export type KeyVaultSpec = KeyVaultDestination & { readonly keys?: readonly string[] };

/** The destination `operatorSpec.keyVault` of a spec; undefined where there is none. */
export function keyVaultSpec(object: KubeObject): KeyVaultSpec | undefined {
  return (object['spec'] as { readonly operatorSpec?: { readonly keyVault?: KeyVaultSpec } } | undefined)?.operatorSpec
    ?.keyVault;
}

/** `vaultReference` as an input, so that the object waits for the vault as it waits for any other reference. */
export function keyVaultInputs(object: KubeObject): Input[] {
  const reference = keyVaultSpec(object)?.vaultReference;
  return reference ? [{ type: 'reference', path: vaultReferencePath, reference }] : [];
}

/**
 * Whether and where the object writes into a vault: as its spec says, or, for a kind that ASO v1 had, into the operator's
 * own vault as in v1. Throws AZ_TERMINAL for a destination that cannot be.
 */
export function keyVaultPlan(
  { group, kind }: KindDefinition,
  object: KubeObject,
  operatorVault: string | undefined,
): KeyVaultPlan | undefined {
  const spec = keyVaultSpec(object);
  const v1Kind = v1Outputs[`${group}/${kind}`]?.kind;
  if (spec === undefined && (operatorVault === undefined || v1Kind === undefined)) return undefined;
  const { vault, vaultReference, flatten = false, expires } = spec ?? {};
  if (vault === undefined && vaultReference === undefined && operatorVault === undefined) {
    throw terminal('names no vault, and the operator has none of its own (AZURE_OPERATOR_KEYVAULT)');
  }
  const { namespace = '', name } = object.metadata;
  // A kind of v1 keeps v1's name; others need their group too, as there are two kinds Namespace.
  const prefix = v1Kind ?? `${group.split('.')[0]}-${kind}`;
  const named = spec?.name ?? `${prefix.toLowerCase()}-${namespace}-${name}`;
  if (!nameForm.test(named)) {
    throw terminal(`needs a name: \`${named}\`, the usual one, is no name that a vault takes`);
  }
  const expiresMs = expires === undefined ? undefined : tryParseDuration(expires);
  return { vault: vaultReference ? undefined : (vault ?? operatorVault), name: named, flatten, expiresMs };
}

const nameForm = /^[0-9A-Za-z-]{1,127}$/;

function tooLong(name: string): AzimuthError {
  return terminal(`needs a shorter name: \`${name}\` is no name that a vault takes`);
}

function terminal(problem: string): AzimuthError {
  return new AzimuthError('AZ_TERMINAL', `operatorSpec.keyVault ${problem}`);
}

/**
 * The plan with names that no other namespace can have: ten digits of a hash of the namespace follow. In a vault that
 * several namespaces write into, a namespace could else take the names that another one needs, or try which exist.
 */
export function withNamespace(plan: KeyVaultPlan, { metadata: { namespace = '' } }: KubeObject): KeyVaultPlan {
  return { ...plan, name: `${plan.name}-${createHash('sha256').update(namespace).digest('hex').slice(0, 10)}` };
}

/**
 * The secrets to write, by name: one with a JSON object of base64 values, sorted by key as v1 wrote it, or one for each key.
 * Throws AZ_TERMINAL for a key that cannot be part of a name.
 */
export function vaultSecrets({ name, flatten }: KeyVaultPlan, values: Readonly<Record<string, string>>) {
  const entries = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  if (!flatten) {
    if (!nameForm.test(name)) throw tooLong(name);
    const encoded = entries.map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    return new Map([[name, JSON.stringify(Object.fromEntries(encoded))]]);
  }
  const long = entries.map(([key]) => `${name}-${key}`).find((each) => !nameForm.test(each));
  if (long !== undefined) throw tooLong(long);
  return new Map(entries.map(([key, value]) => [`${name}-${key}`, value]));
}
