import { readFileSync } from 'node:fs';
import type { Fault } from '../../../sandbox/azure/faults.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';

const members = new Set([
  ...['id', 'service', 'method', 'path', 'host', 'skip', 'times', 'delayMs', 'status', 'headers', 'body'],
  ...['connection', 'operation'],
]);

/** The faults of a file: a JSON array. Throws AZ_CONFIG_INVALID that names the file and what is wrong with it. */
export function readFaults(file: string): readonly Fault[] {
  const wrong = (what: string) => new AzimuthError('AZ_CONFIG_INVALID', `--fail: ${file} ${what}`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrong(`cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(content)) throw wrong('must be a JSON array of faults');
  for (const [index, fault] of content.entries()) {
    if (!isObject(fault)) throw wrong(`has an item ${index} that is no object`);
    const unknown = Object.keys(fault).find((name) => !members.has(name));
    if (unknown !== undefined)
      throw wrong(`has a member '${unknown}' in item ${index}: use ${[...members].join(', ')}`);
  }
  return content as Fault[];
}
