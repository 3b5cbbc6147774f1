import { AzimuthError } from './errors.ts';
import {
  bool,
  type Environment,
  type IgnoredFlags,
  logLevel,
  named,
  type ReadSettings,
  readSettings,
  type Setting,
  settingRows,
  type Text,
  whole,
} from './settings.ts';

/** Parses the text of a flag. Throws AZ_CONFIG_INVALID that names the setting. */
export type Parser<T> = (setting: Setting, text: Text, given: Given) => T;

/** A setting with its parser; without one the value is the text. The key in the table names the value. */
export interface Flag extends Setting {
  readonly parse?: Parser<unknown>;
  /** The value is a secret: it is in no log and no error. */
  readonly secret?: true;
}

type Flags = Readonly<Record<string, Flag>>;

type ReadonlyList<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;

/** The value of each flag. */
export type Values<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly parse: Parser<infer T> } ? ReadonlyList<T> : string;
};

/** The settings and environment of a program, for values that depend on several settings. */
export interface Given extends ReadSettings {
  readonly env: Environment;
}

/** The configuration without the help answer of `read`. */
export type ConfigOf<Read extends (...args: never[]) => unknown> = Exclude<ReturnType<Read>, { readonly help: string }>;

interface Definition<F extends Flags, Config> {
  /** The command: `azimuth <name>`. */
  readonly name: string;
  /** First lines of --help. @default `Usage: azimuth <name> [flags]` */
  readonly usage?: readonly string[];
  /** Lines of --help about the program. */
  readonly description: readonly string[];
  readonly flags: F;
  /** @default none */
  readonly ignored?: IgnoredFlags;
  /** Whether arguments that are not flags are accepted; `usage` names them. @default false */
  readonly positionals?: boolean;
  /** Lines at the end of --help. @default none */
  readonly footer?: readonly string[];
  /** Checks the values against each other and derives the configuration. Throws AZ_CONFIG_INVALID. */
  complete(values: Values<F>, given: Given): Config;
}

/** Makes the reader of a program's configuration and its help text from one table of flags. */
export function defineProgram<const F extends Flags, Config extends object>(definition: Definition<F, Config>) {
  const { name, description, flags, ignored, positionals, footer = [], complete } = definition;
  const { usage = [`Usage: azimuth ${name} [flags]`] } = definition;
  const variables = Object.values(flags).some(({ env }) => env !== undefined);
  const help = () =>
    [
      ...usage,
      '',
      ...description,
      '',
      ...(variables ? ['Flags, each with its environment variable:'] : []),
      ...settingRows(flags),
      ...(footer.length > 0 ? ['', ...footer] : []),
    ].join('\n');
  return {
    flags,
    help,
    /** The configuration, or the help text with --help. Throws AZ_CONFIG_INVALID that names flag and variable. */
    read(argv: readonly string[], env: Environment): Config | { readonly help: string } {
      const given = { ...readSettings(name, flags, argv, env, { ignored, positionals }), env };
      if (given.help) return { help: help() };
      const values = Object.entries(flags).map(([key, flag]) => [
        key,
        flag.parse ? parsed(flag, flag.parse, given) : given.text(flag),
      ]);
      return complete(Object.fromEntries(values) as Values<F>, given);
    },
  };
}

function parsed(flag: Flag, parse: Parser<unknown>, given: Given): unknown {
  try {
    return parse(flag, given.text, given);
  } catch (error) {
    if (!flag.secret) throw error;
    // The parser's message quotes the value.
    throw new AzimuthError('AZ_CONFIG_INVALID', `${named(flag)} is invalid (a secret, not shown): ${flag.meaning}`);
  }
}

/**
 * The configuration for the log line of a program's start: without the values of secret flags, and without user and
 * password in URLs.
 */
export function loggable(flags: Flags, config: object): Record<string, unknown> {
  const entries = Object.entries(config).map(([key, value]): [string, unknown] => {
    if (flags[key]?.secret && value !== undefined && value !== '') return [key, redacted];
    if (typeof value !== 'string') return [key, value];
    return [key, value.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${redacted}@`)];
  });
  return Object.fromEntries(entries);
}

const redacted = '[redacted]';

/** A whole number within bounds. @default most: the greatest safe integer */
export const wholeFrom =
  (least: number, most?: number): Parser<number> =>
  (setting, text) =>
    whole(setting, text, least, most);

/** Seconds within bounds, as milliseconds. */
export const secondsFrom =
  (least: number, most: number): Parser<number> =>
  (setting, text) =>
    whole(setting, text, least, most) * 1000;

/** The text; undefined where it is empty. */
export const optional: Parser<string | undefined> = (setting, text) => text(setting) || undefined;

/** The kubeconfig file. */
export const kubeconfigFlag = {
  flag: 'kubeconfig',
  env: 'KUBECONFIG',
  default: '',
  meaning: "kubeconfig file; the pod's own service account when there is none",
  // The variable may list several files: `findKubeConnection` reads it.
  parse: (setting, _text, { flag }) => flag(setting) || undefined,
} as const satisfies Setting & { readonly parse: Parser<string | undefined> };

/** A flag without a value; false where it is absent. */
export const switchFlag = <Name extends string>(flag: Name, meaning: string) =>
  ({
    flag,
    default: '',
    boolean: true,
    meaning,
    parse: (setting, text) => text(setting) !== '' && bool(setting, text),
  }) as const satisfies Flag;

/** The flag that tells changes from none by the exit code, for scripts. */
export const detailedExitCodeFlag = (meaning: string) => switchFlag('detailed-exitcode', meaning);

/** The flag of commands that ask at a terminal before they change something. */
export const yesFlag = { ...switchFlag('yes', 'do it without a question'), short: 'y' } as const satisfies Flag;

/** The head of the flag that names files and folders. */
export const filenameFlag = { flag: 'filename', short: 'f', value: 'FILE', default: '', multiple: true } as const;

/** The address of the health port. */
export const healthAddressFlag = {
  flag: 'health-address',
  env: 'HEALTH_ADDRESS',
  default: '',
  meaning: 'address to listen on; all when empty',
  parse: optional,
} as const satisfies Flag;

/** The port of the metrics, of a program on the network of its node. */
export const metricsPortFlag = (port: number) =>
  ({
    flag: 'metrics-port',
    env: 'METRICS_PORT',
    default: String(port),
    meaning:
      'port of /metrics over HTTPS, for callers whose token may get the URL /metrics; 0 picks a free one; off serves them ' +
      'on the health port, to everybody',
    parse: (setting, text) => (text(setting) === 'off' ? undefined : whole(setting, text, 0, 65_535)),
  }) as const satisfies Flag;

/** The level of the log. */
export const logLevelFlag = {
  flag: 'log-level',
  env: 'LOG_LEVEL',
  default: 'info',
  meaning: 'debug, info, warn, error or silent',
  parse: logLevel,
} as const satisfies Flag;
