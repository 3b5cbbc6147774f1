import type { Input } from '../../arm-kinds/inputs.ts';
import { SecretValue } from '../../arm-kinds/secret-value.ts';
import { AzimuthError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { Budget } from '../../compute/templates/values/budget.ts';
import { computedSecret } from './computed-secret.ts';

/** Work of all expressions of one object: some 50 ms, in which nothing else runs. */
const mostSteps = 50_000;
const mostCharacters = 4_194_304;
/** Characters of all values of Secrets, of Azure and of vaults of one object: a request of ARM has at most 4 MB. */
const mostValueCharacters = 4_194_304;
/** Answers of Azure and secrets of vaults that one object may name; each is a request in every run. */
const mostRemoteValues = 20;

/** An answer of Azure, or a secret of a vault. */
export type RemoteInput = Extract<Input, { type: 'azure' | 'keyVault' }>;

/** The values of the inputs of one object. One object may name a large value many times: their sum has a bound. */
export class InputValues {
  readonly inputs = new Map<string, unknown>();
  /** The values that count as secrets, by their paths in the spec: a new one leads to a PUT. */
  readonly secrets = new Map<string, unknown>();
  /** Texts of Secrets and vaults that expressions have made values of. */
  readonly parts: string[] = [];
  readonly #budget = new Budget(mostSteps, mostCharacters);
  /** By name and key: each is decoded once. */
  readonly #decoded = new Map<string, unknown>();
  /** By what was read. */
  readonly #remote = new Map<string, unknown>();
  #characters = 0;

  /** A value of a Secret. Throws AZ_TERMINAL where the values are too large together. */
  secret({ path, name, key }: Extract<Input, { type: 'secret' }>, decode: () => unknown): void {
    const source = JSON.stringify([name, key]);
    const value = this.#decoded.get(source) ?? decode();
    this.#decoded.set(source, value);
    this.#take(path, value);
  }

  /**
   * Reads a value from Azure or a vault once; false where it does not exist. Throws AZ_TERMINAL for too many, and where the
   * values are too large together.
   */
  async remote(input: RemoteInput, read: (input: RemoteInput) => Promise<unknown> | undefined): Promise<boolean> {
    const { path, ...source } = input;
    const key = canonicalJson(source) ?? '';
    if (!this.#remote.has(key)) {
      if (this.#remote.size === mostRemoteValues)
        throw tooMuch(path, `more than ${mostRemoteValues} answers of Azure and secrets of vaults`);
      this.#remote.set(key, await read(input));
    }
    const value = this.#remote.get(key);
    if (value !== undefined) this.#take(path, value);
    return value !== undefined;
  }

  /** The value of an expression, once its sources are there. */
  expression({ path, expression, secrets }: Extract<Input, { type: 'expression' }>): void {
    const sources = secrets.flatMap((each) => {
      const value = this.inputs.get(each);
      return value instanceof SecretValue ? [value.reveal()] : [];
    });
    if (sources.length < secrets.length) return;
    const value = computedSecret(expression, sources, { budget: this.#budget, where: `spec.${path}.expression` });
    // What the expression does not take from its sources reaches no body: scopes and fingerprints count its value alone.
    this.parts.push(...sources.filter(isLongText));
    for (const each of secrets) {
      this.inputs.delete(each);
      this.secrets.delete(each);
    }
    this.#take(path, value);
  }

  #take(path: string, value: unknown): void {
    this.#characters += typeof value === 'string' ? value.length : JSON.stringify(value).length;
    if (this.#characters > mostValueCharacters) throw tooMuch(path, `more than ${mostValueCharacters} characters`);
    this.inputs.set(path, new SecretValue(value));
    this.secrets.set(path, value);
  }
}

/** A shorter text may stand in a message by chance. */
const isLongText = (value: unknown): value is string => typeof value === 'string' && value.length >= 8;

const tooMuch = (path: string, amount: string) =>
  new AzimuthError('AZ_TERMINAL', `The values that the object names, up to spec.${path}, are ${amount}: name fewer`);
