import type { Duration } from 'cdk8s';

interface VaultObjectOf<Type extends string, Format extends string> {
  readonly type: Type;

  /** Its name in the vault. */
  readonly name: string;

  /**
   * The id of a version.
   *
   * @default the newest
   */
  readonly version?: string;

  /**
   * Name of the file.
   *
   * @default the name of the object
   */
  readonly file?: string;

  /**
   * Format of the file; docs/reference/key-vault-volumes.md describes the bytes of each.
   *
   * @default 'raw'
   */
  readonly format?: Format;
}

interface JsonMember {
  /**
   * The member of a JSON document that becomes the file, by its name or a JSON Pointer such as `/db/password`. Set no
   * `format`.
   *
   * @default the whole secret
   */
  readonly jsonKey?: string;
}

/** An object of a vault as a file. */
export type VaultObject =
  | (VaultObjectOf<'secret', 'raw' | 'pem' | 'pfx'> & JsonMember)
  | VaultObjectOf<'key', 'raw' | 'pem' | 'jwk' | 'der'>
  | VaultObjectOf<'cert', 'raw' | 'pem' | 'der'>;

/** The identity that reads the vault. */
export type VaultReader =
  /** The pod, by an AzureIdentityBinding (PodIdentity.of). */
  | { readonly kind: 'pod' }
  /** The machine; the system-assigned identity without `clientId`. */
  | { readonly kind: 'machine'; readonly clientId?: string }
  /** A Secret of the workload's namespace with `clientid` and `clientsecret`; for FlexVolume its type is `azure/kv`. */
  | { readonly kind: 'servicePrincipal'; readonly secretName: string };

/** Properties of both kinds of volumes. */
export interface VaultVolumeProps {
  /** Name of the vault. */
  readonly vault: string;

  /** The directory (tenant) of the vault: a GUID or a domain name. */
  readonly tenantId: string;

  /**
   * The volume's name in the pod.
   *
   * @default the construct's id in lower case
   */
  readonly name?: string;

  /**
   * The cloud, such as `AzureChinaCloud`.
   *
   * @default the node's setting, else AzurePublicCloud
   */
  readonly cloud?: string;
}

/** A FlexVolume. */
export interface KeyVaultVolumeProps extends VaultVolumeProps {
  /** The identity that reads the vault. */
  readonly reader: VaultReader;

  /** The files, 1 to 500. */
  readonly objects: readonly VaultObject[];

  /**
   * Keeps the files up to date: `true` at the node agent's own interval, or at this one, 10 seconds at least.
   *
   * @default false
   */
  readonly refresh?: boolean | Duration;

  /**
   * Mode of the files in octal, such as `0440`.
   *
   * @default the node's setting, else 0440
   */
  readonly filePermission?: string;

  /**
   * Group id that owns the files.
   *
   * @default the pod's `securityContext.fsGroup`, else 0
   */
  readonly fsGroup?: number;

  /**
   * Region of the vault; where the vault has another one, the mount fails.
   *
   * @default not checked
   */
  readonly region?: string;
}

interface CsiObjectOf<Type extends string> {
  readonly type: Type;

  /** Its name in the vault. */
  readonly name: string;

  /**
   * The id of a version; of a history, its newest.
   *
   * @default the newest
   */
  readonly version?: string;

  /**
   * Number of versions; 2 and more make a directory of `0`, `1`, ..., the newest first.
   *
   * @default 1, a file
   */
  readonly history?: number;

  /**
   * Path of the file in the volume.
   *
   * @default the name of the object
   */
  readonly file?: string;

  /**
   * Mode of the file in octal, such as `0440`.
   *
   * @default the CSI driver's, 0644
   */
  readonly filePermission?: string;
}

/** An object of a vault as a file of a CSI volume. Keys and certificates are PEM. */
export type CsiObject = (CsiObjectOf<'secret'> & CsiSecretFile) | CsiObjectOf<'key'> | CsiObjectOf<'cert'>;

/** The provider of Azimuth alone has `jsonKey`. */
export interface CsiSecretFile extends JsonMember {
  /**
   * `raw` is the value as the vault stores it; `pem` and `pfx` are of secrets behind certificates, `pfx` as binary.
   *
   * @default 'raw'
   */
  readonly format?: 'raw' | 'pem' | 'pfx';
}

interface CsiSelectionOf<Type extends string> {
  readonly type: Type;

  /**
   * Names of the objects, in any case: `*` stands for any characters and `?` for one, such as `app-*`.
   *
   * @default every name; then set `tag`
   */
  readonly pattern?: string;

  /**
   * Tag of the objects: `<name>=<value>`, or `<name>` with any value.
   *
   * @default with and without tags; then set `pattern`
   */
  readonly tag?: string;

  /**
   * Path of each file in the volume; `{name}` stands for the name of the object.
   *
   * @default '{name}'
   */
  readonly file?: string;

  /**
   * Mode of the files in octal, such as `0440`.
   *
   * @default the CSI driver's, 0644
   */
  readonly filePermission?: string;
}

/**
 * All objects of a vault with a name or tag, as files of a CSI volume, at most 100. The identity needs the permission
 * `list`. The provider of Azimuth alone has it.
 */
export type CsiSelection = (CsiSelectionOf<'secret'> & CsiSecretFile) | CsiSelectionOf<'key'> | CsiSelectionOf<'cert'>;

/** The identity that reads the vault for a CSI volume. */
export type CsiReader =
  | VaultReader
  /** The pod's service account, which the application or identity with this client id trusts. */
  | { readonly kind: 'workload'; readonly clientId: string };

/** A volume of the Secrets Store CSI driver. */
export interface KeyVaultCsiVolumeProps extends VaultVolumeProps {
  /** The identity that reads the vault. */
  readonly reader: CsiReader;

  /** The files, 1 to 500, at most 20 entries of them selections. */
  readonly objects: readonly (CsiObject | CsiSelection)[];

  /**
   * Namespace of the SecretProviderClass, which is that of the pods.
   *
   * @default that of the chart
   */
  readonly namespace?: string;

  /**
   * The provider of the driver that serves the volume.
   *
   * @default 'azure'
   */
  readonly provider?: string;
}
