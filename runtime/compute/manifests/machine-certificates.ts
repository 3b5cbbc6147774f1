import { machineTypes } from '../../api/machines/secret-references.ts';
import { getPath } from '../../arm-kinds/values/json-object.ts';
import { withPath } from '../../arm-kinds/values/shared-list.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { profilePath } from '../machines/machine-model.ts';
import { ManagedSecretReference } from '../templates/values/value.ts';
import type { TokenizedBody } from './tokens.ts';

/** The body of a machine without the certificates that are ManagedSecrets, and the entries of `operatorSpec` for them. */
export interface WithoutCertificates {
  readonly body: JsonObject;
  /** `operatorSpec.managedSecrets`. */
  readonly managedSecrets: readonly JsonObject[];
}

/**
 * Takes each `{"managedSecret": name}` that stands as `certificateUrl` out of `osProfile.secrets`: the operator puts the
 * version of the machine's region there. A group that has no other certificate goes with its `sourceVault`.
 */
export function withoutCertificates(armType: string, { body, special }: SpecialBody): WithoutCertificates {
  const isMachine = machineTypes.some((type) => type.toLowerCase() === armType.toLowerCase());
  const kind = /scalesets$/i.test(armType) ? 'VirtualMachineScaleSet' : 'VirtualMachine';
  const path = `${profilePath({ kind })}.osProfile.secrets`;
  const groups = isMachine ? getPath(body, path) : undefined;
  const managedSecrets: JsonObject[] = [];
  if (!Array.isArray(groups)) return { body, managedSecrets };
  const kept = groups.flatMap((group: unknown) => {
    const certificates = isObject(group) ? group['vaultCertificates'] : undefined;
    if (!isObject(group) || !Array.isArray(certificates)) return [group];
    const own = certificates.filter((certificate: unknown) => {
      const entry = entryOf(certificate, special);
      if (entry) managedSecrets.push(entry);
      return !entry;
    });
    return own.length === 0 && certificates.length > 0 ? [] : [{ ...group, vaultCertificates: own }];
  });
  if (managedSecrets.length === 0) return { body, managedSecrets };
  const without = kept.length > 0 ? kept : undefined;
  return { body: withPath(body, path.split('.'), without), managedSecrets };
}

interface SpecialBody {
  readonly body: JsonObject;
  readonly special: TokenizedBody['special'];
}

function entryOf(certificate: unknown, special: SpecialBody['special']): JsonObject | undefined {
  if (!isObject(certificate)) return undefined;
  const reference = special(certificate['certificateUrl'])?.value;
  if (!(reference instanceof ManagedSecretReference)) return undefined;
  const { certificateStore } = certificate;
  return {
    delivery: 'OsProfile',
    managedSecret: reference.managedSecret,
    ...(certificateStore !== undefined && certificateStore !== null && { certificateStore }),
  };
}
