import { armResource } from '../../../api/arm/arm-resource.ts';
import { resourceOf } from '../../../api/kinds.ts';
import { AzimuthError } from '../../../base/errors.ts';
import type { OutputSource } from '../../../compute/deployments/goal-outputs.ts';
import type { Answers, NeededAnswer } from '../../../compute/deployments/open-values.ts';
import { secretsType } from '../../../kube/client/core-types.ts';
import type { KubeClient, KubeObject } from '../../../kube/client/types.ts';
import type { ChildAccess } from '../child-access.ts';
import type { TemplateAnswers } from '../template-answers.ts';
import type { VaultValues } from './vault-values.ts';

/** Dependencies of `OutputReads`. */
export interface OutputReadsDeps {
  readonly client: KubeClient;
  readonly access: Pick<ChildAccess, 'check'>;
  readonly answers: Pick<TemplateAnswers, 'read' | 'list'>;
  readonly vaults: Pick<VaultValues, 'read'>;
}

const armResources = resourceOf(armResource);
/** Milliseconds until a value that is missing is read again. */
const retryMs = 30_000;
/** Most answers of Azure, and most values, of the outputs of one location. */
const maxReads = 64;
/** Characters of all of them, which are in memory together. */
const maxCharacters = 4_194_304;

/**
 * What the outputs of one location are made of. Throws AZ_TERMINAL beyond the limits, AZ_ACCESS_DENIED where the
 * deployment's service account may not read a Secret or have a value of a vault, and AZ_REFERENCE_MISSING where a value does
 * not exist yet.
 */
export class OutputReads {
  readonly #deps: OutputReadsDeps;
  readonly #deployment: KubeObject;
  readonly #signal: AbortSignal;
  readonly #values = new Map<string, unknown>();
  #answers: Answers = {};
  #characters = 0;

  constructor(deps: OutputReadsDeps, deployment: KubeObject, signal: AbortSignal) {
    this.#deps = deps;
    this.#deployment = deployment;
    this.#signal = signal;
  }

  /** The answers that `readAnswers` has read. */
  get answers(): Answers {
    return this.#answers;
  }

  /** Reads further answers of Azure. */
  async readAnswers(needed: readonly NeededAnswer[]): Promise<void> {
    if (Object.keys(this.#answers).length + needed.length > maxReads) throw tooMany('answers of Azure');
    for (const each of needed) {
      const answer = await this.#deps.answers.read(this.#deployment, [each], this.#signal);
      this.#count(answer);
      this.#answers = { ...this.#answers, ...answer };
    }
  }

  /** The value of a source, which is read once. */
  async value(source: OutputSource): Promise<unknown> {
    const key = JSON.stringify(source);
    if (this.#values.has(key)) return this.#values.get(key);
    if (this.#values.size === maxReads) throw tooMany('values of Secrets and of Azure');
    const value = await this.#read(source);
    this.#count(value);
    this.#values.set(key, value);
    return value;
  }

  async #read(source: OutputSource): Promise<unknown> {
    const { client, access, answers, vaults } = this.#deps;
    if ('value' in source) return source.value;
    if ('list' in source) return await answers.list(this.#deployment, source, this.#signal);
    if (!('secret' in source)) {
      // The body of an ArmResource may take each of these values.
      const { name } = this.#deployment.metadata;
      await access.check(this.#deployment, { verb: 'create', type: armResources, name }, this.#signal);
      return await vaults.read(this.#deployment, source, this.#signal);
    }
    const { name, key } = source.secret;
    await access.check(this.#deployment, { verb: 'get', type: secretsType, name }, this.#signal);
    const { namespace = '' } = this.#deployment.metadata;
    const data = ((await client.tryGet(secretsType, { namespace, name }, this.#signal))?.['data'] ?? {}) as object;
    const value: unknown = Object.entries(data).find(([each]) => each === key)?.[1];
    if (typeof value === 'string') return Buffer.from(value, 'base64').toString('utf8');
    throw new AzimuthError('AZ_REFERENCE_MISSING', `The Secret ${name} has no key ${key}`, { retryAfterMs: retryMs });
  }

  #count(value: unknown): void {
    this.#characters += typeof value === 'string' ? value.length : JSON.stringify(value).length;
    if (this.#characters <= maxCharacters) return;
    const message = `The outputs are made of answers and values with more than ${maxCharacters} characters: leave some out`;
    throw new AzimuthError('AZ_TERMINAL', message);
  }
}

const tooMany = (what: string) =>
  new AzimuthError('AZ_TERMINAL', `The outputs are made of more than ${maxReads} ${what}: leave some out`);
