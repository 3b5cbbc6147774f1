import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { tryParseDuration } from './duration.ts';
import { AzimuthError, expected } from './errors.ts';
import type { LogLevel } from './observability/log.ts';
import { nearest } from './text/edit-distance.ts';
import { normalizeText } from './text/normalize.ts';
import { trimEndOf } from './text/text.ts';

/** One setting of a program: a flag, and an environment variable of the same meaning; the flag wins. */
export interface Setting {
  readonly flag: string;
  /** One letter: `-o yaml`. A program with such a flag reads its command line in the notation of POSIX and GNU. */
  readonly short?: string;
  /** Other spellings of the flag, such as those of the program that ours takes the place of. */
  readonly aliases?: readonly string[];
  /** @default none: the flag only */
  readonly env?: string;
  /** Other variables of the same meaning, such as those that Azure's own clients read. */
  readonly envAliases?: readonly string[];
  readonly default: string;
  readonly meaning: string;
  /** May be given without a value, which means true. */
  readonly boolean?: true;
  /** May be given several times: `ReadSettings.all` has each value. */
  readonly multiple?: true;
  /** The value's name in --help. @default none */
  readonly value?: string;
}

/** The value of a setting as it was given, or its default. */
export type Text = (setting: Setting) => string;
/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Flags that are accepted so that the arguments of another program keep working, and why they mean nothing here. */
export interface IgnoredFlags {
  readonly meanings: Readonly<Record<string, string>>;
  /** Those that may be given without a value. */
  readonly booleans?: ReadonlySet<string>;
}

/** The command line and the environment of a program, as given. */
export interface ReadSettings {
  readonly help: boolean;
  readonly text: Text;
  /** The value of the flag alone; undefined where only the environment or nothing was given. */
  flag(setting: Setting): string | undefined;
  /** Each value of a repeated flag, in order; the value of the variable alone where no flag was given. */
  all(setting: Setting): readonly string[];
  /** Arguments that are not flags, in order. */
  readonly positionals: readonly string[];
  /** Ignored flags that were given. */
  readonly ignored: readonly string[];
}

/** Arguments of a program beside its settings. */
export interface OtherArguments {
  /** @default none */
  readonly ignored?: IgnoredFlags | undefined;
  /** Whether arguments that are not flags are accepted. @default false */
  readonly positionals?: boolean | undefined;
}

/**
 * Reads flags and environment. Flags are written as Go's are: one dash or two, `--flag value` or `--flag=value`. Where
 * a setting has a short form, one dash precedes letters instead: `-ro yaml`, and a flag without a value takes none.
 * Throws AZ_CONFIG_INVALID for a flag that is not in the table.
 */
export function readSettings(
  program: string,
  settings: Readonly<Record<string, Setting>>,
  argv: readonly string[],
  env: Environment,
  { ignored = { meanings: {} }, positionals: allowPositionals = false }: OtherArguments = {},
): ReadSettings {
  const all: readonly Setting[] = Object.values(settings);
  const short = all.some((setting) => setting.short !== undefined);
  const booleans = new Set([
    ...all.filter(({ boolean }) => boolean).map(({ flag }) => flag),
    ...(ignored.booleans ?? []),
    'help',
  ]);
  const options = Object.fromEntries(
    [
      ...all.flatMap((setting) => [setting.flag, ...(setting.aliases ?? [])].map((name) => [name, setting] as const)),
      ...Object.keys(ignored.meanings).map((name) => [name, {}] as const),
      ['help', { short: 'h' }] as const,
    ].map(([name, { short: letter, multiple }]: readonly [string, Partial<Setting>]) => [
      name,
      {
        type: short && booleans.has(name) ? ('boolean' as const) : ('string' as const),
        multiple: multiple ?? false,
        ...(short && letter !== undefined && { short: letter }),
      },
    ]),
  );
  const args = short ? [...argv] : argv.map((arg) => fromGo(arg, booleans));
  let values: Readonly<Record<string, unknown>>;
  let positionals: string[];
  try {
    ({ values, positionals } = parseArgs({ args, options, allowPositionals, strict: true }));
  } catch (error) {
    throw new AzimuthError('AZ_CONFIG_INVALID', argumentProblem(program, error, Object.keys(options)));
  }
  const given = ({ flag: name, aliases = [] }: Setting) =>
    [name, ...aliases].flatMap((spelling) => values[spelling] ?? []).map(String);
  const flag = (setting: Setting) => given(setting)[0];
  return {
    help: values['help'] !== undefined,
    text: (setting) => flag(setting) ?? variable(setting, env) ?? setting.default,
    flag,
    all(setting) {
      const flags = given(setting);
      return flags.length > 0 ? flags : [variable(setting, env) ?? []].flat();
    },
    positionals,
    ignored: Object.keys(ignored.meanings).filter((name) => values[name] !== undefined),
  };
}

/** What is wrong with a command line, as a person says it. */
function argumentProblem(program: string, error: unknown, flags: readonly string[]): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const argument = /'([^']*)'/.exec(message)?.[1] ?? '';
  const help = `run azimuth ${program} --help`;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const meant = nearest(argument.replace(/^-+/, ''), flags, (flag) => flag);
    return `unknown flag ${argument}; ${meant === undefined ? '' : `did you mean --${meant}? `}${help}`;
  }
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return `unexpected argument "${argument}"; ${help}`;
  const [what] = message.split('\n');
  return `${what}; ${help}`;
}

/** An argument in Go's notation as `parseArgs` reads it: two dashes, and a value for each flag. */
function fromGo(arg: string, booleans: ReadonlySet<string>): string {
  const long = arg === '-h' ? '--help' : arg.replace(/^-(?=[A-Za-z])/, '--');
  return booleans.has(long.slice(2)) && long.startsWith('--') ? `${long}=true` : long;
}

function variable({ env: name, envAliases = [] }: Setting, env: Environment): string | undefined {
  return [name ?? [], ...envAliases]
    .flat()
    .map((each) => normalizeText(env[each] ?? ''))
    .find(Boolean);
}

/** How errors name a setting. */
export const named = ({ flag, env }: Setting) => (env === undefined ? `--${flag}` : `--${flag} (${env})`);

/** The value of a setting that is true or false. Throws AZ_CONFIG_INVALID that names the setting. */
export function bool(setting: Setting, text: Text): boolean {
  const value = text(setting);
  if (/^(true|t|1)$/i.test(value)) return true;
  if (/^(false|f|0)$/i.test(value)) return false;
  throw expected(named(setting), 'true or false', value);
}

/** The value of a setting that is a whole number within bounds. Throws AZ_CONFIG_INVALID that names the setting. */
export function whole(setting: Setting, text: Text, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = text(setting);
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw expected(named(setting), `a whole number ${bounds}`, value);
}

/** Milliseconds of a duration in Go's notation: 90s, 1h30m. */
export function duration(setting: Setting, text: Text): number {
  const value = tryParseDuration(text(setting));
  if (value !== undefined) return value;
  throw expected(named(setting), 'a duration such as 90s, 15m or 1h30m', text(setting));
}

/** The value of a setting that is one of a list. Throws AZ_CONFIG_INVALID that names the setting. */
export function oneOf<const T extends string>(setting: Setting, text: Text, choices: readonly T[]): T {
  const value = text(setting);
  const choice = choices.find((each) => each === value);
  if (choice) return choice;
  throw expected(named(setting), `one of ${choices.join(', ')}`, value);
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[];
/** The value of a setting that is a log level. Throws AZ_CONFIG_INVALID that names the setting. */
export const logLevel = (setting: Setting, text: Text): LogLevel => oneOf(setting, text, logLevels);

/** Values separated by commas or blanks. */
export const list = (setting: Setting, text: Text): string[] =>
  text(setting)
    .split(/[\s,]+/)
    .filter(Boolean);

/** The value of a setting that is an IP address. Throws AZ_CONFIG_INVALID that names the setting. */
export function address(setting: Setting, text: Text): string {
  const value = text(setting);
  if (isIP(value) === 0) throw expected(named(setting), 'an IP address', value);
  return value;
}

/** The value of a setting that is a list of IP addresses. Throws AZ_CONFIG_INVALID that names the setting. */
export function addresses(setting: Setting, text: Text): string[] {
  return list(setting, text).map((value) => address(setting, () => value));
}

/** A URL of http or https, without a slash at its end. */
export function httpUrl(setting: Setting, text: Text): string {
  const value = text(setting);
  const protocol = URL.parse(value)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return trimEndOf(value, '/');
  throw expected(named(setting), 'a URL of http or https', value);
}

/** The value of a setting that is an absolute path. Throws AZ_CONFIG_INVALID that names the setting. */
export function absolutePath(setting: Setting, text: Text): string {
  const value = text(setting);
  if (/^\/[^\0]*$/.test(value)) return value;
  throw expected(named(setting), 'an absolute path', value);
}

/** The rows of --help: flag, meaning, variable and default. */
export function settingRows(settings: Readonly<Record<string, Setting>>): string[] {
  const all: readonly Setting[] = Object.values(settings);
  const indent = all.some(({ short }) => short !== undefined) ? '    ' : '';
  const flags = all.map(
    ({ flag, short, value }) => `${short ? `-${short}, ` : indent}--${flag}${value === undefined ? '' : ` ${value}`}`,
  );
  const width = Math.max(...flags.map(({ length }) => length)) + 3;
  return all.map(({ env, default: fallback, meaning }, i) => {
    const notes = [env ?? [], fallback === '' ? [] : `default ${fallback}`].flat().join(', ');
    return `  ${flags[i]?.padEnd(width)}${meaning}${notes === '' ? '' : ` [${notes}]`}`;
  });
}
