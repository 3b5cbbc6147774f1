import { fieldsOf, lengthField, numberField, textOf } from './wire.ts';

/**
 * The messages of `v1alpha1.CSIDriverProvider` and of `grpc.health.v1.Health/Check`, with the field numbers of
 * provider/v1alpha1/service.proto of the Secrets Store CSI driver (facts on Key Vault 3, "Wire").
 */

export interface MountCall {
  /** JSON: parameters of the SecretProviderClass, and over them what kubelet tells of the pod. */
  readonly attributes: string;
  /** JSON: the Secret of nodePublishSecretRef. */
  readonly secrets: string;
  /** Where the driver mounts. */
  readonly targetPath: string;
  /** JSON: the default mode of files, a decimal number. */
  readonly permission: string;
}

export interface ObjectVersion {
  /** `secret/name`. */
  readonly id: string;
  readonly version: string;
}

export interface MountFile {
  /** Relative to the volume. */
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
  readonly contents: Buffer;
}

export interface MountAnswer {
  readonly versions: readonly ObjectVersion[];
  readonly files: readonly MountFile[];
}

export interface VersionAnswer {
  readonly version: string;
  readonly runtimeName: string;
  readonly runtimeVersion: string;
}

export function decodeMountCall(message: Buffer): MountCall {
  const call = { attributes: '', secrets: '', targetPath: '', permission: '' };
  for (const field of fieldsOf(message)) {
    if (field.number === 1) call.attributes = textOf(field);
    else if (field.number === 2) call.secrets = textOf(field);
    else if (field.number === 3) call.targetPath = textOf(field);
    else if (field.number === 4) call.permission = textOf(field);
  }
  return call;
}

export function encodeMountAnswer({ versions, files }: MountAnswer): Buffer {
  return Buffer.concat([
    ...versions.map(({ id, version }) =>
      lengthField(1, Buffer.concat([lengthField(1, id), lengthField(2, version)]), true),
    ),
    ...files.map(({ path, mode, contents }) =>
      lengthField(3, Buffer.concat([lengthField(1, path), numberField(2, mode), lengthField(3, contents)]), true),
    ),
  ]);
}

export function encodeVersionAnswer({ version, runtimeName, runtimeVersion }: VersionAnswer): Buffer {
  return Buffer.concat([lengthField(1, version), lengthField(2, runtimeName), lengthField(3, runtimeVersion)]);
}

export interface HealthCall {
  /** '' is the whole server. */
  readonly service: string;
}

export function decodeHealthCall(message: Buffer): HealthCall {
  let service = '';
  for (const field of fieldsOf(message)) if (field.number === 1) service = textOf(field);
  return { service };
}

/** SERVING is 1 and NOT_SERVING is 2 in grpc.health.v1. */
export function encodeHealthAnswer(serving: boolean): Buffer {
  return numberField(1, serving ? 1 : 2);
}
