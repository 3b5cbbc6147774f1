import { stringify } from 'yaml';
import { escaped } from './printable.ts';

/** Data of a command as YAML, without a line break at its end; each text is quoted, and unprintable characters escaped. */
export const toYaml = (data: unknown): string =>
  escaped(stringify(data, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' }).trimEnd());
