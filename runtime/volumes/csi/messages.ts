import { fieldsOf, lengthField, numberField, textOf } from './wire.ts';

/**
 * The messages of `v1alpha1.CSIDriverProvider` and of `grpc.health.v1.Health/Check`, with the field numbers of
 * provider/v1alpha1/service.proto of the Secrets Store CSI driver.
 */

/** A `MountRequest` of the CSI driver. */
export interface MountCall {
  /** JSON: parameters of the SecretProviderClass, overridden by kubelet's attributes of the pod. */
  readonly attributes: string;
  /** JSON: the data of the Secret of `nodePublishSecretRef`. */
  readonly secrets: string;
  /** Directory at which the driver mounts the volume. */
  readonly targetPath: string;
  /** JSON: the default mode of files, a decimal number. */
  readonly permission: string;
}

/** The version of one object, which the driver records in the SecretProviderClassPodStatus. */
export interface ObjectVersion {
  /** `secret/name`. */
  readonly id: string;
  readonly version: string;
}

/** A file that the driver writes into the volume. */
export interface MountFile {
  /** Relative to the volume. */
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
  readonly contents: Buffer;
}

/** A `MountResponse`: files, and versions of their objects. */
export interface MountAnswer {
  readonly versions: readonly ObjectVersion[];
  readonly files: readonly MountFile[];
}

/** A `VersionResponse`: version of the protocol, name and version of the provider. */
export interface VersionAnswer {
  readonly version: string;
  readonly runtimeName: string;
  readonly runtimeVersion: string;
}

/** Decodes a `MountRequest`; absent fields are ''. Throws RangeError for malformed bytes. */
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

/** Encodes a `MountResponse`. */
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

/** Encodes a `VersionResponse`. */
export function encodeVersionAnswer({ version, runtimeName, runtimeVersion }: VersionAnswer): Buffer {
  return Buffer.concat([lengthField(1, version), lengthField(2, runtimeName), lengthField(3, runtimeVersion)]);
}

/** A `HealthCheckRequest` of grpc.health.v1. */
export interface HealthCall {
  /** Name of a gRPC service; '' = the whole server. */
  readonly service: string;
}

/** Decodes a `HealthCheckRequest`. Throws RangeError for malformed bytes. */
export function decodeHealthCall(message: Buffer): HealthCall {
  let service = '';
  for (const field of fieldsOf(message)) if (field.number === 1) service = textOf(field);
  return { service };
}

/** Encodes a `HealthCheckResponse`: SERVING is 1 and NOT_SERVING is 2 in grpc.health.v1. */
export function encodeHealthAnswer(serving: boolean): Buffer {
  return numberField(1, serving ? 1 : 2);
}
