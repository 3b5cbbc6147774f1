import { parseArgs } from 'node:util';
import { expected } from './errors.ts';
import type { LogLevel } from './log.ts';

/** One setting of a program: a flag and an environment variable of the same meaning; the flag wins. */
export interface Setting {
  readonly flag: string;
  readonly env: string;
  readonly default: string;
  readonly meaning: string;
  /** May be given without a value, which means true. */
  readonly boolean?: true;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of a program. Everything throws AZ_CONFIG_INVALID naming flag and variable. */
export class ProgramSettings {
  /** Whether `--help` was given. */
  readonly help: boolean;
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;
  readonly #env: Environment;

  constructor(program: string, table: Readonly<Record<string, Setting>>, argv: readonly string[], env: Environment) {
    this.#env = env;
    const all = Object.values(table);
    const bare = new Set(all.filter((setting) => setting.boolean).map(({ flag }) => `--${flag}`));
    const options = Object.fromEntries(all.map(({ flag }) => [flag, { type: 'string' as const }]));
    try {
      const args = argv.map((arg) => (bare.has(arg) ? `${arg}=true` : arg));
      const help = { help: { type: 'boolean' as const, short: 'h' } };
      this.#values = parseArgs({ args, options: { ...options, ...help }, strict: true }).values;
    } catch (error) {
      throw expected(`arguments of azimuth ${program}`, 'flags that --help lists', (error as Error).message);
    }
    this.help = this.#values['help'] === true;
  }

  text(setting: Setting): string {
    return this.given(setting) ?? (this.#env[setting.env]?.trim() || setting.default);
  }

  /** Of the flag alone, for variables that others read too. */
  given(setting: Setting): string | undefined {
    const flag = this.#values[setting.flag];
    return typeof flag === 'string' ? flag : undefined;
  }

  flag(setting: Setting): boolean {
    const value = this.text(setting);
    if (/^(true|1|t)$/i.test(value)) return true;
    if (/^(false|0|f)$/i.test(value)) return false;
    throw expected(named(setting), 'true or false', value);
  }

  whole(setting: Setting, least: number, most: number): number {
    const value = this.text(setting);
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw expected(named(setting), `a whole number from ${least} to ${most}`, value);
  }

  /** Parted by commas or blanks. */
  list(setting: Setting): string[] {
    return this.text(setting)
      .split(/[\s,]+/)
      .filter(Boolean);
  }

  /** An absolute path. */
  path(setting: Setting): string {
    const value = this.text(setting);
    if (/^\/[^\0]*$/.test(value)) return value;
    throw expected(named(setting), 'an absolute path', value);
  }

  logLevel(setting: Setting): LogLevel {
    const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
    const value = this.text(setting);
    const found = levels.find((level) => level === value);
    if (found) return found;
    throw expected(named(setting), `one of ${levels.join(', ')}`, value);
  }
}

/** As errors name a setting. */
export function named({ flag, env }: Setting): string {
  return `--${flag} (${env})`;
}

/** The lines of a help text. */
export function settingLines(table: Readonly<Record<string, Setting>>): string[] {
  const all = Object.values(table);
  const width = Math.max(...all.map(({ flag }) => flag.length));
  return all.map(
    ({ flag, env, default: fallback, meaning }) =>
      `  --${flag.padEnd(width)}  ${meaning} [${env}${fallback === '' ? '' : `, default ${fallback}`}]`,
  );
}
