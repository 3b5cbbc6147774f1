import { filePermissionPattern } from '../../api/volumes/vault-objects.ts';
import { AzimuthError } from '../../base/errors.ts';

/** Parses an octal mode such as `0440`; undefined for ''. Throws AZ_CONFIG_INVALID. */
export function filePermission(text: string): number | undefined {
  if (text === '') return undefined;
  if (filePermissionPattern.test(text)) return Number.parseInt(text, 8);
  throw new AzimuthError(
    'AZ_CONFIG_INVALID',
    'validation failed, filepermission must be an octal mode from 0000 to 0777, such as 0440',
  );
}
