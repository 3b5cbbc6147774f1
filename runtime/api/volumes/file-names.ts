import { AzimuthError } from '../../base/errors.ts';

/** Linux' own limits, in bytes. */
const longestName = 255;
const longestPath = 4096;
/** Each directory takes memory of the node, and time of the node agent, which compares them. */
const mostParts = 20;

function refuse(what: string, name: string, reason: string): AzimuthError {
  // Control characters would break the line of an event.
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  return new AzimuthError('AZ_CONFIG_INVALID', `validation failed, ${what} ${shown} cannot be a file name: ${reason}`);
}

/**
 * Checks the name of a file right in the volume: at most 255 bytes, no `/` or `\`, nothing invisible, and no `..` at the
 * start, which the volume's own entries begin with. Throws AZ_CONFIG_INVALID.
 */
export function checkFileName(name: string, what = 'the alias'): void {
  if (/[/\\]/.test(name)) throw refuse(what, name, 'it has a path separator');
  checkRelativePath(name, what);
}

/** Checks a path of at most 20 parts below the volume. Every part is a name as above, save that `\` may occur. */
export function checkRelativePath(path: string, what = 'the path'): void {
  if (path === '') throw refuse(what, path, 'it is empty');
  if (Buffer.byteLength(path) > longestPath) throw refuse(what, path, `it is longer than ${longestPath} bytes`);
  if (path.startsWith('/')) throw refuse(what, path, 'it must be relative');
  const parts = path.split('/');
  if (parts.length > mostParts) throw refuse(what, path, `it has more than ${mostParts} parts`);
  for (const part of parts) {
    if (part === '') throw refuse(what, path, 'it has an empty part');
    if (part === '.' || part.startsWith('..')) throw refuse(what, path, `no part may be "." or begin with ".."`);
    if (Buffer.byteLength(part) > longestName) throw refuse(what, path, `a part is longer than ${longestName} bytes`);
    // Control, format, private, unassigned characters and lone surrogates; undecodable bytes turn into U+FFFD.
    if (/[\p{C}\p{Zl}\p{Zp}\uFFFD]/u.test(part)) throw refuse(what, path, 'it has a control or invisible character');
  }
}

/** Throws AZ_CONFIG_INVALID where two objects would be one file. */
export function checkCollisions(objects: readonly { readonly file: string; readonly name: string }[]): void {
  const taken = new Map<string, string>();
  for (const { file, name } of objects) {
    // Names that differ in their composition only look the same, and are the same to some programs.
    const key = file.normalize('NFC');
    const other = taken.get(key);
    if (other !== undefined) {
      throw new AzimuthError(
        'AZ_CONFIG_INVALID',
        `validation failed, the objects "${other}" and "${name}" would both be the file "${file}"; ` +
          'give them different names in keyvaultobjectaliases',
      );
    }
    taken.set(key, name);
  }
}
