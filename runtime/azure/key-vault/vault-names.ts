import { expected } from '../../base/errors.ts';
import type { CloudEnvironment } from '../types.ts';

/** `https://<name>.<suffix>`, or the URL itself; https only. */
export function vaultUrl(vault: string, cloud: CloudEnvironment): URL {
  if (/^[A-Za-z0-9-]{3,24}$/.test(vault)) return new URL(`https://${vault}.${cloud.keyVaultDnsSuffix}`);
  // A URL drops controls and spaces silently, and takes `\\` for `/`.
  const url = vault.length > 300 || /[\s\p{Cc}\\?#%]/u.test(vault) ? null : URL.parse(vault);
  if (url?.protocol === 'https:' && url.username === '' && url.pathname === '/' && url.search === '') return url;
  throw expected('vault', 'a name of 3 to 24 letters, digits and hyphens, or an https URL without a path', vault);
}

/** The id of a version as part of a path. Throws AZ_CONFIG_INVALID for any other text. */
export function versionName(version: string): string {
  if (/^[0-9A-Za-z]{1,64}$/.test(version)) return version;
  throw expected('version', 'the id of a version', version);
}

/** The name of an object as part of a path. Throws AZ_CONFIG_INVALID for any other text. */
export function objectName(name: string): string {
  if (!/^[0-9a-zA-Z-]{1,127}$/.test(name))
    throw expected('name of a vault object', 'up to 127 letters, digits and hyphens', name);
  return name;
}
