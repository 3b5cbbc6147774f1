import type { ObjectFormat, ObjectType } from '../../api/volumes/vault-objects.ts';

/** What a mount asks for, checked; the FlexVolume driver and the CSI provider both come down to this. */

export const objectEncodings = ['utf-8', 'base64', 'hex'] as const;
/** How the text of a secret becomes bytes. */
export type ObjectEncoding = (typeof objectEncodings)[number];

export interface ObjectRequest {
  readonly name: string;
  readonly type: ObjectType;
  /** '' = the newest. */
  readonly version: string;
  /** Name of the file. */
  readonly file: string;
  readonly format: ObjectFormat;
  /** Of secrets in the raw format only. */
  readonly encoding: ObjectEncoding;
}

/** Who reads the vault. */
export type VolumeIdentity =
  | { readonly mode: 'service-principal'; readonly clientId: string; readonly clientSecret: string }
  | { readonly mode: 'pod' }
  /** An application that trusts the pod's service account; `token` is one of that account's, for AAD. */
  | { readonly mode: 'federated'; readonly clientId: string; readonly token: string }
  /** The system-assigned identity without `clientId`. */
  | { readonly mode: 'vm'; readonly clientId?: string };

/** Empty members were not told. */
export interface PodReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface VolumeRequest {
  readonly vault: string;
  readonly tenantId: string;
  /** '' = the node's own. */
  readonly cloudName: string;
  readonly region: string | undefined;
  readonly objects: readonly ObjectRequest[];
  readonly identity: VolumeIdentity;
  readonly pod: PodReference;
  /** Undefined = the node's default. */
  readonly filePermission: number | undefined;
  readonly fsGroup: number | undefined;
  /** Seconds between two looks at the vault; 0 = the agent's own interval; undefined = no refresh. */
  readonly refreshSeconds: number | undefined;
}
