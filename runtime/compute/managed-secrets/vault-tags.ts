/**
 * How a ManagedSecret is recorded in a vault (docs/adr/0031-managed-secrets.md): the name of its secret, and the tags of
 * each version. Lists of versions have the tags and no values.
 */
import { createHash } from 'node:crypto';

/** Names of the tags of a version. */
export const versionTags = {
  object: 'azimuth-object',
  number: 'azimuth-version',
  hash: 'azimuth-hash',
  created: 'azimuth-created',
  request: 'azimuth-request',
  /** Of a version that imports another one of its vault again as the newest: the vault's id of that one. */
  reimportOf: 'azimuth-reimport-of',
} as const;

/** The identity of a ManagedSecret, which no other object ever has. */
export interface SecretOwner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A version as a vault lists it. Times in milliseconds since the epoch. */
export interface ListedVersion {
  /** 32 hexadecimal digits, different in each vault. */
  readonly version: string | undefined;
  readonly enabled: boolean;
  readonly created: number | undefined;
  readonly expires: number | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** Of a certificate: SHA-1 of its DER, base64url. */
  readonly thumbprint?: string | undefined;
}

/** A version that belongs to a ManagedSecret. Times in milliseconds since the epoch. */
export interface SecretVersion {
  /** Counted from 1; the same in every vault. */
  readonly number: number;
  /** Keyed hash of the value, 16 hexadecimal digits. */
  readonly hash: string;
  /** When the value was generated; in a copy the same as at home. */
  readonly created: number;
  readonly expires?: number;
  readonly enabled: boolean;
  /** The vault's own id of it. */
  readonly version: string;
  /** Fingerprint of the annotation azimuth.dev/renew that it was made for. */
  readonly request?: string;
  /** The vault's ids of enabled versions that import it again. @default none */
  readonly reimports?: readonly string[];
}

/** The secret of one ManagedSecret in one vault. */
export type VaultObservation =
  | { readonly state: 'Absent' }
  /** Another object's secret, or nobody's: it is neither read nor written. */
  | { readonly state: 'Foreign'; readonly owner?: string }
  | {
      readonly state: 'Ours';
      /** Newest number first; of two versions with one number the newer one, but never a reimport. */
      readonly versions: readonly SecretVersion[];
      /** Number of the version that a reader without a version gets; undefined where that one is disabled or unknown. */
      readonly latest?: number;
    };

/** The text of the tag `azimuth-object`. */
export function ownerTag({ namespace, name, uid }: SecretOwner): string {
  return `${namespace}/${name}/${uid}`;
}

/** Content of the tags of a version. The hash of a certificate is known only once it is issued, and is not a tag. */
export type NewVersionTags = Pick<SecretVersion, 'number' | 'created' | 'request'> & { readonly hash?: string };

/** The tags of a version. */
export function tagsOf(owner: SecretOwner, { number, hash, created, request }: NewVersionTags): Record<string, string> {
  return {
    [versionTags.object]: ownerTag(owner),
    [versionTags.number]: String(number),
    ...(hash !== undefined && { [versionTags.hash]: hash }),
    [versionTags.created]: new Date(created).toISOString(),
    ...(request !== undefined && { [versionTags.request]: request }),
  };
}

/** Most of a version's number. A higher one is forged, and the version after it might have no readable number. */
const mostNumber = 1_000_000;

/**
 * The observation of a ManagedSecret in a vault's list of versions. One version of somebody else, or with a forged
 * number, makes the whole secret foreign: its name is taken.
 *
 * @param newestId The vault's id of its newest version, where `isNewestUnclear`.
 */
export function observe(
  owner: SecretOwner,
  listed: readonly ListedVersion[],
  newestId: string | undefined = newestFirst(listed)[0]?.version,
): VaultObservation {
  const mine = ownerTag(owner);
  const foreign = listed.find(
    ({ tags }) => tags[versionTags.object] !== mine || Number(tags[versionTags.number]) > mostNumber,
  );
  if (foreign) {
    const other = foreign.tags[versionTags.object];
    return { state: 'Foreign', ...(other !== undefined && { owner: other }) };
  }
  if (listed.length === 0) return { state: 'Absent' };
  const byNumber = new Map<number, SecretVersion>();
  for (const item of newestFirst(listed)) {
    const version = item.tags[versionTags.reimportOf] === undefined ? versionOf(item) : undefined;
    if (version && !byNumber.has(version.number)) byNumber.set(version.number, version);
  }
  const versions = [...byNumber.values()].sort((a, b) => b.number - a.number);
  const isEnabledReimport = (item: ListedVersion, version: SecretVersion) =>
    item.enabled && isReimportOf(item, version);
  const newest = listed.find(({ version }) => version === newestId);
  const latest = versions.find(
    (each) => each.enabled && newest && (each.version === newestId || isEnabledReimport(newest, each)),
  );
  return {
    state: 'Ours',
    versions: versions.map((each) => {
      const ids = listed.filter((item) => isEnabledReimport(item, each)).flatMap(({ version }) => version ?? []);
      return ids.length === 0 ? each : { ...each, reimports: ids };
    }),
    ...(latest && { latest: latest.number }),
  };
}

function newestFirst(listed: readonly ListedVersion[]): readonly ListedVersion[] {
  return listed.toSorted((a, b) => (b.created ?? 0) - (a.created ?? 0));
}

/**
 * Whether the times of a list do not show which version is the newest: Key Vault has whole seconds, and a certificate
 * that an issuer signs later than a reimport may have the time of its order.
 */
export function isNewestUnclear(listed: readonly ListedVersion[]): boolean {
  const [first, second] = newestFirst(listed);
  const isTie = first !== undefined && second !== undefined && first.created === second.created;
  return isTie || listed.some(({ enabled, tags }) => enabled && tags[versionTags.reimportOf] !== undefined);
}

/** By number and value: the tag may be forged, and a version that was disabled is copied again with another id. */
function isReimportOf(item: ListedVersion, { number, hash }: SecretVersion): boolean {
  const reimport = item.tags[versionTags.reimportOf] === undefined ? undefined : versionOf(item);
  return reimport?.number === number && reimport.hash === hash;
}

/** As `toISOString` writes years up to 9999: a forged time beyond them is no date for JavaScript once a span is added. */
const isoTime = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,12}Z$/;

function versionOf({ version, enabled, expires, tags, thumbprint }: ListedVersion): SecretVersion | undefined {
  const {
    [versionTags.number]: number = '',
    [versionTags.created]: created = '',
    [versionTags.request]: request,
  } = tags;
  // A certificate in the list of secrets has neither: its version distinguishes it from others of the same vault.
  const hash =
    thumbprint === undefined ? (tags[versionTags.hash] ?? version?.slice(0, 16) ?? '') : thumbprintHash(thumbprint);
  const at = isoTime.test(created) ? Date.parse(created) : Number.NaN;
  if (version === undefined || !/^[1-9][0-9]{0,8}$/.test(number) || !/^[0-9a-f]{16}$/.test(hash) || Number.isNaN(at))
    return undefined;
  return {
    number: Number(number),
    hash,
    created: at,
    enabled,
    version,
    ...(expires !== undefined && { expires }),
    ...(request !== undefined && { request }),
  };
}

/**
 * The hash of a certificate, whose value the vault generates: the first 16 hexadecimal digits of its thumbprint. It
 * takes the place of the tag, which cannot be known before the certificate is issued.
 */
function thumbprintHash(thumbprint: string): string {
  return Buffer.from(thumbprint, 'base64url').toString('hex').slice(0, 16);
}

/** Characters of a default name before its hash. */
const nameLength = 100;

/**
 * Name of the secret in every vault: the spec's, or one made of namespace and name. Its last 10 digits are a hash of both,
 * so that the objects `a-b/c` and `a/b-c` have different names.
 */
export function vaultSecretName({ namespace, name }: Pick<SecretOwner, 'namespace' | 'name'>, named?: string): string {
  if (named !== undefined) return named;
  const readable = `${namespace}-${name}`.replace(/[^0-9A-Za-z-]/g, '-').slice(0, nameLength);
  return `${readable}-${createHash('sha256').update(`${namespace}/${name}`).digest('hex').slice(0, 10)}`;
}

/** Name of the second secret, whose values are the protected settings of the VMAccess extension. */
export function vmAccessSecretName(name: string): string {
  return `${name.slice(0, 118)}-vmaccess`;
}

/** The collection of a vault that has the versions: those of a certificate are listed with their thumbprints. */
export function collectionOf(kind: string): 'secrets' | 'certificates' {
  return kind === 'Certificate' ? 'certificates' : 'secrets';
}
