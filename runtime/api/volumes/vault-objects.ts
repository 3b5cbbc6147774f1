/** What a volume can hold of a vault: the words of its options, which programs and manifests share. */

export const objectTypes = ['secret', 'key', 'cert'] as const;
export type ObjectType = (typeof objectTypes)[number];

export const objectFormats = ['raw', 'pem', 'pfx', 'jwk', 'der'] as const;
export type ObjectFormat = (typeof objectFormats)[number];

/** The formats of each type; the first is the default. */
export const formatsOf: Readonly<Record<ObjectType, readonly ObjectFormat[]>> = {
  secret: ['raw', 'pem', 'pfx'],
  key: ['raw', 'pem', 'jwk', 'der'],
  cert: ['raw', 'pem', 'der'],
};

/** More than any pod has use for; each object is at least one request to the vault. */
export const mostObjects = 500;
/** Seconds between two looks at the vault. */
export const shortestRefresh = 10;

/** Facts on Key Vault 4, "Names". */
export const vaultNamePattern = /^[A-Za-z0-9-]{3,24}$/;
export const objectNamePattern = /^[0-9a-zA-Z-]{1,127}$/;
export const versionPattern = /^[0-9A-Za-z]{0,64}$/;
export const tenantPattern = /^[A-Za-z0-9][A-Za-z0-9.-]{0,254}$/;
export const filePermissionPattern = /^0?[0-7]{3}$/;
