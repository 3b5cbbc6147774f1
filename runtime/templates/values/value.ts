/**
 * Values of templates. Secrets, values that are known after apply, and references to secrets have classes of their own, so
 * that no printer shows them as text by accident: as JSON each is a placeholder.
 */

/** A value of a template. Immutable; objects have no prototype. */
export type TemplateValue =
  | null
  | boolean
  | number
  | string
  | readonly TemplateValue[]
  | TemplateObject
  | SecretValue
  | Unknown
  | ManagedSecretReference
  | KeyVaultReference;

/** An object of a template. */
export interface TemplateObject {
  readonly [name: string]: TemplateValue;
}

const inspect = Symbol.for('nodejs.util.inspect.custom');

/** A value of a secure parameter, or derived from one, or the answer of a list function. */
export class SecretValue {
  readonly #value: TemplateValue;

  constructor(value: TemplateValue) {
    this.#value = value instanceof SecretValue ? value.reveal() : value;
  }

  /** The value, for the body of a request alone. */
  reveal(): TemplateValue {
    return this.#value;
  }

  toJSON(): string {
    return '***';
  }

  toString(): string {
    return '***';
  }

  [inspect](): string {
    return 'SecretValue(***)';
  }
}

/** A value that Azure's answers decide: known after apply. */
export class Unknown {
  /** The expression, as the template has it. */
  readonly expression: string;
  /** ARM ids of the resources whose answers the value needs. */
  readonly waitsFor: readonly string[];
  /** Evaluates the expression again; the argument is the run of the evaluator. */
  readonly #resume: (run: unknown) => TemplateValue;

  constructor(expression: string, waitsFor: Iterable<string>, resume: (run: unknown) => TemplateValue) {
    this.expression = expression;
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

/** Whether the value is an object of the template, none of the classes. */
export function isTemplateObject(value: TemplateValue | undefined): value is TemplateObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isSpecial(value);
}

/** Whether the value is an array. */
export function isTemplateArray(value: TemplateValue | undefined): value is readonly TemplateValue[] {
  return Array.isArray(value);
}

/** Whether the value is a reference to a secret. */
export function isSecretReference(value: TemplateValue): value is ManagedSecretReference | KeyVaultReference {
  return value instanceof ManagedSecretReference || value instanceof KeyVaultReference;
}

function isSpecial(value: object): boolean {
  return value instanceof SecretValue || value instanceof Unknown || isSecretReference(value as TemplateValue);
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
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (isTemplateArray(value)) return 'array';
  if (value instanceof SecretValue) return 'secret';
  if (value instanceof Unknown) return 'value known after apply';
  return isSecretReference(value) ? 'reference to a secret' : 'object';
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
