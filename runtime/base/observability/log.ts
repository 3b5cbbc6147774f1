import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { isObject } from '../json.ts';

/**
 * Logging rules: the message is a constant sentence, varying values go into the fields; two levels of detail are
 * enough (info, debug); a logger is named once per component with `child`. A field of a line replaces one of the same name
 * of its parents. Secrets are never passed in; as a second
 * net, members with these names are removed wherever they appear at the first two levels.
 */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Logger;
}

/** Levels of log lines; `silent` writes none. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

const secretMembers = new Set([
  'authorization',
  'Authorization',
  'access_token',
  'token',
  'password',
  'secret',
  'client_secret',
  'clientSecret',
  'client_assertion',
  'assertion',
  'data',
  'stringData',
  'privateKey',
  'key1',
  'key2',
  'connectionString',
]);

/** Takes whole lines; `write` returns when they are written. */
export interface LineDestination {
  write(lines: string): void;
}

/** Standard output, written synchronously: a line that was logged survives the end of the process. */
export function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true });
}

/** Options of a logger. */
export interface LoggerOptions {
  /** @default 'info' */
  readonly level?: LogLevel;
  /** Where lines go, one JSON object each. @default standard output */
  readonly destination?: DestinationStream;
}

/** A logger of one program. It drops the members of an entry that hold secrets. */
export function createLogger(name: string, options: LoggerOptions = {}): Logger {
  const lines = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    options.destination ?? standardOutput(),
  );
  return merging(lines, { program: name });
}

/**
 * Removes secret members from the first two levels. pino's own redaction of its one log line makes a sixth of the
 * garbage of a CSI mount.
 */
function withoutSecrets(fields: Record<string, unknown>): object {
  for (const [name, value] of Object.entries(fields)) {
    if (secretMembers.has(name)) delete fields[name];
    else if (isObject(value) && Object.keys(value).some((member) => secretMembers.has(member))) {
      fields[name] = Object.fromEntries(Object.entries(value).filter(([member]) => !secretMembers.has(member)));
    }
  }
  return fields;
}

/** Merges the fields of parents and lines, as JSON with the same key twice loses one of its values. */
function merging(lines: PinoLogger, parent: object): Logger {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    if (lines.isLevelEnabled(level)) lines[level](withoutSecrets({ ...parent, ...fields }), message);
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => merging(lines, { ...parent, ...fields }),
  };
}

/** Discards everything. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
