import * as pulumi from '@pulumi/pulumi';
import { listOf } from '../../constructs/environment.ts';

/**
 * The settings of one stack. A setting that another stack gives as an output may be set by hand instead: a value in the
 * configuration wins.
 */
export class Settings {
  readonly #config = new pulumi.Config();
  readonly #stacks = new Map<string, pulumi.StackReference>();

  /** @throws where it is not set */
  required(name: string): string {
    return this.#config.require(name);
  }

  text(name: string): string | undefined {
    return this.#config.get(name)?.trim() || undefined;
  }

  number(name: string): number | undefined {
    return this.text(name) === undefined ? undefined : this.#config.requireNumber(name);
  }

  boolean(name: string): boolean | undefined {
    return this.text(name) === undefined ? undefined : this.#config.requireBoolean(name);
  }

  object<T>(name: string): T | undefined {
    return this.#config.getObject<T>(name);
  }

  secret(name: string): pulumi.Output<string> | undefined {
    return this.text(name) === undefined ? undefined : this.#config.requireSecret(name);
  }

  /** Values separated by `;`, without blanks around them. */
  list(name: string): string[] {
    return listOf(this.text(name));
  }

  /**
   * The setting, or the output of the same name of the stack that the setting `from` names.
   *
   * @throws where neither is set, naming both
   */
  from(from: string, name: string): pulumi.Output<string> {
    const found = this.optionalFrom(from, name);
    if (found) return found;
    throw new Error(`Expected the setting \`${name}\`, or \`${from}\` to name the stack with that output, got neither`);
  }

  /** As `from`; undefined where neither is set. */
  optionalFrom(from: string, name: string): pulumi.Output<string> | undefined {
    const own = this.text(name);
    if (own !== undefined) return pulumi.output(own);
    return this.#stack(from)?.requireOutput(name) as pulumi.Output<string> | undefined;
  }

  /**
   * The entry `key` of a setting that is an object, or of that output of the stack that `from` names.
   *
   * @throws where neither is set
   */
  entryFrom(from: string, name: string, key: string): pulumi.Output<string> {
    const own = this.namesOfIds(name)[key] ?? this.object<Record<string, string>>(name)?.[key];
    if (own !== undefined) return pulumi.output(own);
    const stack = this.#stack(from);
    if (!stack)
      throw new Error(`Expected \`${name}.${key}\`, or \`${from}\` to name the stack with the output \`${name}\``);
    return stack.requireOutput(name).apply((entries: Record<string, string>) => {
      const value = entries[key];
      if (value === undefined)
        throw new Error(`Expected the output \`${name}\` to have \`${key}\`, got ${Object.keys(entries)}`);
      return value;
    });
  }

  /**
   * The ids of a setting that is a list of ARM ids, by the last segment of each; none where it is an object.
   *
   * @throws for an entry that is no ARM id of a resource
   */
  namesOfIds(name: string): Readonly<Record<string, string>> {
    const ids = this.object<unknown>(name);
    if (!Array.isArray(ids)) return {};
    return Object.fromEntries(
      ids.map((given: unknown) => {
        const id = String(given).trim();
        const [, last] = /^\/subscriptions\/[^\s]+\/providers\/[^\s]+\/([^/\s]+)$/i.exec(id) ?? [];
        if (last === undefined) throw new Error(`Expected \`${name}\` to be a list of ARM ids, got \`${given}\``);
        return [last, id];
      }),
    );
  }

  /** An output of the stack that `from` names, as it was at its last update; undefined where `from` is not set. */
  async lastOutput<T>(from: string, name: string): Promise<T | undefined> {
    const details = await this.#stack(from)?.getOutputDetails(name);
    if (details?.secretValue !== undefined) throw new Error(`Expected the output \`${name}\` not to be a secret`);
    return details?.value as T | undefined;
  }

  #stack(from: string): pulumi.StackReference | undefined {
    const name = this.text(from);
    if (name === undefined) return undefined;
    const known = this.#stacks.get(name) ?? new pulumi.StackReference(name);
    this.#stacks.set(name, known);
    return known;
  }
}
