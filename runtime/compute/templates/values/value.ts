/**
 * Values of templates. Secrets, values that are known after apply, and references to secrets have classes of their own, so
 * that no printer shows them as text by accident: as JSON each is a placeholder.
 */
import { SecretValue } from '../../../base/secret-value.ts';

/** A value of a template. Immutable; objects have no prototype. */
export type TemplateValue =
  | null
  | boolean
  | number
  /** An integer of 54 to 64 bits, which only expressions have. */
  | bigint
  | string
  | readonly TemplateValue[]
  | TemplateObject
  | SecretValue<TemplateValue>
  | Unknown
  | ManagedSecretReference
  | KeyVaultReference
  | SecretKeyReference
  | AzureAnswer
  | SecretExpression;

/** An object of a template. */
export interface TemplateObject {
  readonly [name: string]: TemplateValue;
}

/** Marks a value of a secure parameter, a value derived from one, or the answer of a list function. */
export function secretOf(value: TemplateValue): SecretValue<TemplateValue> {
  return value instanceof SecretValue ? (value as SecretValue<TemplateValue>) : new SecretValue(value);
}

/** A value that Azure's answers decide: known after apply. */
export class Unknown {
  /** The expression, as the template has it. */
  readonly expression: string;
  /** ARM ids of the resources whose answers the value needs. */
  readonly waitsFor: readonly string[];
  /** Whether the value will be a secret. */
  readonly isSecret: boolean;
  /** Whether the value will be made of values of Secrets. */
  readonly isReference: boolean;
  /** Evaluates the expression again; the argument is the run of the evaluator. */
  readonly #resume: (run: unknown) => TemplateValue;

  constructor(
    expression: string,
    waitsFor: Iterable<string>,
    resume: (run: unknown) => TemplateValue,
    { isSecret = false, isReference = false } = {},
  ) {
    this.expression = expression;
    this.isReference = isReference;
    this.isSecret = isSecret;
    this.waitsFor = [...new Set(waitsFor)].sort();
    this.#resume = resume;
  }

  /** Evaluates the expression again with the answers that the run has. */
  resume(run: unknown): TemplateValue {
    return this.#resume(run);
  }

  toJSON(): unknown {
    return { unknown: this.expression, waitsFor: this.waitsFor };
  }
}

/** Stands for the value of a ManagedSecret: `{"managedSecret": "name"}`. The library never evaluates it. */
export class ManagedSecretReference {
  readonly managedSecret: string;

  constructor(managedSecret: string) {
    this.managedSecret = managedSecret;
  }
}

/** Stands for the value of a secret in Key Vault. The library never evaluates it. */
export class KeyVaultReference {
  /** ARM id of the vault. */
  readonly vaultId: string;
  readonly secretName: string;
  /** @default the newest one */
  readonly secretVersion: string | undefined;

  constructor(vaultId: string, secretName: string, secretVersion?: string) {
    this.vaultId = vaultId;
    this.secretName = secretName;
    this.secretVersion = secretVersion;
  }
}

/** Stands for a value of a Kubernetes Secret of the namespace. The library never reads it. */
export class SecretKeyReference {
  readonly name: string;
  readonly key: string;

  constructor(name: string, key: string) {
    this.name = name;
    this.key = key;
  }
}

/** Stands for an answer of Azure that the operator reads when it sends the body: of a GET, or of a list function. */
export class AzureAnswer {
  readonly id: string;
  readonly apiVersion: string;
  /** `listKeys` and its like; undefined for a GET. */
  readonly action: string | undefined;
  /** Of the action. */
  readonly body: TemplateValue | undefined;

  constructor(id: string, apiVersion: string, action?: string, body?: TemplateValue) {
    this.id = id;
    this.apiVersion = apiVersion;
    this.action = action;
    this.body = body;
  }
}

/** A value that the operator reads when it sends the body. */
export type SourceReference = SecretKeyReference | ManagedSecretReference | KeyVaultReference | AzureAnswer;

/** Whether the value is one that the operator reads when it sends the body. */
export function isSourceReference(value: unknown): value is SourceReference {
  const classes = [SecretKeyReference, ManagedSecretReference, KeyVaultReference, AzureAnswer];
  return classes.some((each) => value instanceof each);
}

/**
 * A value that functions make of values of Secrets and their like: the operator computes it when it sends the body. `parameters('secret0')`
 * in its text is the first of the values.
 */
export class SecretExpression {
  /** A function of the template language; undefined for a member or an item of the first argument. */
  readonly function: string | undefined;
  readonly args: readonly TemplateValue[];

  constructor(name: string | undefined, args: readonly TemplateValue[]) {
    this.function = name;
    this.args = args;
  }
}

/** Whether the value is one that the operator reads when it sends the body, or made of such ones. */
export function isFromSecrets(value: TemplateValue | undefined): value is SourceReference | SecretExpression {
  return value instanceof SecretExpression || isSourceReference(value);
}

/** Whether the value is an object of the template, none of the classes. */
export function isTemplateObject(value: TemplateValue | undefined): value is TemplateObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isSpecial(value);
}

/** Whether the value is a number. */
export function isNumber(value: TemplateValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** An integer as a number where it has at most 53 bits. */
export function integer(value: bigint): number | bigint {
  return BigInt.asIntN(54, value) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Whether the value is an array. */
export function isTemplateArray(value: TemplateValue | undefined): value is readonly TemplateValue[] {
  return Array.isArray(value);
}

/** Whether the value is of one of the classes. */
export function isSpecial(value: unknown): boolean {
  return value instanceof SecretValue || value instanceof Unknown || isFromSecrets(value as TemplateValue);
}

/** An object of these members; names such as `__proto__` are ordinary. */
export function templateObject(entries: Iterable<readonly [string, TemplateValue]>): TemplateObject {
  const made: Record<string, TemplateValue> = Object.create(null);
  for (const [name, value] of entries) made[name] = value;
  return made;
}

/** The type as the template language names it; `secret` and `reference` for the classes. */
export function typeOf(value: TemplateValue): string {
  if (value === null) return 'null';
  if (isNumber(value)) return typeof value === 'bigint' || Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (isTemplateArray(value)) return 'array';
  if (value instanceof SecretValue) return 'secret';
  if (value instanceof Unknown) return 'value known after apply';
  return isFromSecrets(value) ? 'reference to a secret' : 'object';
}

/** A JSON value as a value of a template. `depth` bounds the levels of the value; deeper ones throw RangeError. */
export function fromJson(value: unknown, depth = 64): TemplateValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') return null;
  if (depth <= 0) throw new RangeError('the value has too many levels');
  if (isSpecial(value)) return value as TemplateValue;
  if (Array.isArray(value)) return value.map((item) => fromJson(item, depth - 1));
  return templateObject(Object.entries(value).map(([name, member]) => [name, fromJson(member, depth - 1)]));
}
