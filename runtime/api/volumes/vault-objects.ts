/** The objects of a vault that a volume can hold: the words of its options, which programs and manifests share. */

/** Types of Key Vault objects that a volume can mount. */
export const objectTypes = ['secret', 'key', 'cert'] as const;
/** A type of Key Vault object. */
export type ObjectType = (typeof objectTypes)[number];

/** Forms in which a volume can write an object. */
export const objectFormats = ['raw', 'pem', 'pfx', 'jwk', 'der'] as const;
/** A form in which a volume writes an object. */
export type ObjectFormat = (typeof objectFormats)[number];

/** The formats of each type; the first is the default. */
export const formatsOf: Readonly<Record<ObjectType, readonly ObjectFormat[]>> = {
  secret: ['raw', 'pem', 'pfx'],
  key: ['raw', 'pem', 'jwk', 'der'],
  cert: ['raw', 'pem', 'der'],
};

/** More than any pod has use for; each object is at least one request to the vault. */
export const mostObjects = 500;
/** Seconds between two reads of the vault. */
export const shortestRefresh = 10;

/** Facts on Key Vault 4, "Names". */
export const vaultNamePattern = /^[A-Za-z0-9-]{3,24}$/;
/** Name of a Key Vault object: 1 to 127 letters, digits and dashes. */
export const objectNamePattern = /^[0-9a-zA-Z-]{1,127}$/;
/** Version of a Key Vault object; empty means the newest. */
export const versionPattern = /^[0-9A-Za-z]{0,64}$/;
/** A Microsoft Entra tenant: a GUID or a domain name. */
export const tenantPattern = /^[A-Za-z0-9][A-Za-z0-9.-]{0,254}$/;
/** Mode of a file: three octal digits, with or without a leading 0. */
export const filePermissionPattern = /^0?[0-7]{3}$/;
