import type { ObjectFormat, ObjectType } from '../../api/volumes/vault-objects.ts';

/** The checked request of a mount, in the form that the FlexVolume driver and the CSI provider share. */

/** Encodings of the text of a secret in the raw format. */
export const objectEncodings = ['utf-8', 'base64', 'hex'] as const;
/** An encoding of `objectEncodings`. */
export type ObjectEncoding = (typeof objectEncodings)[number];

/** One object of a volume. */
export interface VolumeObject {
  readonly name: string;
  readonly type: ObjectType;
  /** Version id; '' = the latest. */
  readonly version: string;
  /** Name of the file in the volume. */
  readonly file: string;
  readonly format: ObjectFormat;
  /** Encoding of a secret in the raw format; others ignore it. */
  readonly encoding: ObjectEncoding;
  /** The member of a JSON document to write; undefined = the whole secret. */
  readonly jsonKey?: string;
}

/** The identity that reads the vault. */
export type VolumeIdentity =
  | { readonly mode: 'service-principal'; readonly clientId: string; readonly clientSecret: string }
  | { readonly mode: 'pod' }
  /** An application that trusts the pod's service account; `token`: a service account token for Microsoft Entra ID. */
  | { readonly mode: 'federated'; readonly clientId: string; readonly token: string }
  /** An identity of the machine; without `clientId` the system-assigned one. */
  | { readonly mode: 'vm'; readonly clientId?: string };

/** The pod of a volume; '' = unknown. */
export interface PodReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A volume to read: vault, objects, identity and pod. */
export interface VolumeSpec {
  readonly vault: string;
  readonly tenantId: string;
  /** Name of the cloud; '' = the node's cloud. */
  readonly cloudName: string;
  /** Region in which the vault must be; undefined = any. */
  readonly region: string | undefined;
  readonly objects: readonly VolumeObject[];
  /** Most objects that are read, where `objects` does not name each. @default the number of `objects` */
  readonly mostReads?: number;
  readonly identity: VolumeIdentity;
  readonly pod: PodReference;
  /** Mode of the files; undefined = the node's default. */
  readonly filePermission: number | undefined;
  /** Group id of the files; undefined = 0. */
  readonly fsGroup: number | undefined;
  /** Seconds between two refreshes; 0 = the agent's interval; undefined = no refresh. */
  readonly refreshSeconds: number | undefined;
}
