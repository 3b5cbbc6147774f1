import { dirname, isAbsolute, join } from 'node:path';
import { AzimuthError } from '../../base/errors.ts';
import type { TextSource } from './connection.ts';
import { fileText, fixedText } from './text-source.ts';

/** Reads members of one mapping of a kubeconfig; every complaint names file, entry and member, never a value. */
export class KubeconfigEntry {
  /** The file that the mapping stands in. */
  readonly file: string;
  /** Where in the file, such as `user "admin"`. */
  readonly where: string;
  readonly #value: Readonly<Record<string, unknown>>;

  /** Throws AZ_KUBECONFIG_INVALID when `value` is not a mapping; nothing counts as an empty one. */
  constructor(file: string, where: string, value: unknown) {
    this.file = file;
    this.where = where;
    const given = value ?? {};
    if (typeof given !== 'object' || Array.isArray(given)) throw this.invalid('', 'must be a mapping');
    this.#value = given as Record<string, unknown>;
  }

  has(member: string): boolean {
    const value = this.#value[member];
    return value !== undefined && value !== null && value !== '' && value !== false;
  }

  raw(member: string): unknown {
    return this.#value[member];
  }

  text(member: string): string | undefined {
    const value = this.#value[member];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw this.invalid(member, 'must be a string');
    return value;
  }

  required(member: string): string {
    const value = this.text(member);
    if (value === undefined) throw this.invalid(member, 'is missing');
    return value;
  }

  flag(member: string): boolean {
    const value = this.#value[member] ?? false;
    if (typeof value !== 'boolean') throw this.invalid(member, 'must be true or false');
    return value;
  }

  texts(member: string): string[] {
    const value = this.#value[member] ?? [];
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
      throw this.invalid(member, 'must be a list of strings');
    }
    return value;
  }

  /** The mapping under a member; an empty one when it is absent. */
  entry(member: string): KubeconfigEntry {
    return new KubeconfigEntry(this.file, `${this.where}, ${member}`, this.#value[member]);
  }

  /** The mappings of a list. */
  entries(member: string): KubeconfigEntry[] {
    const value = this.#value[member] ?? [];
    if (!Array.isArray(value)) throw this.invalid(member, 'must be a list');
    return value.map((item, index) => new KubeconfigEntry(this.file, `${this.where}, ${member}[${index}]`, item));
  }

  keys(): string[] {
    return Object.keys(this.#value);
  }

  /** A path member; relative ones are relative to the file. */
  path(member: string): string | undefined {
    const value = this.text(member);
    return value === undefined || isAbsolute(value) ? value : join(dirname(this.file), value);
  }

  /** PEM from `member` (a file) or `member-data` (base64); having both is an error, as kubectl has it. */
  pem(member: string): TextSource | undefined {
    const data = this.text(`${member}-data`);
    const path = this.path(member);
    if (data !== undefined && path !== undefined) throw this.invalid(member, `must not be given beside ${member}-data`);
    if (path !== undefined) {
      const source = fileText(path, this.label(member));
      source.read();
      return source;
    }
    if (data === undefined) return undefined;
    const text = Buffer.from(data, 'base64').toString('utf8');
    if (!text.includes('-----BEGIN ')) throw this.invalid(`${member}-data`, 'must be base64 of PEM text');
    return fixedText(text);
  }

  invalid(member: string, problem: string): AzimuthError {
    return new AzimuthError('AZ_KUBECONFIG_INVALID', `${this.label(member)} ${problem}`);
  }

  label(member: string): string {
    return [`Kubeconfig ${this.file}`, this.where, member].filter(Boolean).join(': ');
  }
}
