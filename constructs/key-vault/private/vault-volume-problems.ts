import type { Duration } from 'cdk8s';
import { checkCollisions, checkFileName } from '../../../runtime/api/volumes/file-names.ts';
import {
  filePermissionPattern,
  formatsOf,
  mostObjects,
  type ObjectType,
  objectNamePattern,
  shortestRefresh,
  tenantPattern,
  vaultNamePattern,
  versionPattern,
} from '../../../runtime/api/volumes/vault-objects.ts';

/** The properties that both kinds of volumes have checked. */
export interface CheckedVolume {
  readonly vault: string;
  readonly tenantId: string;
  readonly reader: { readonly kind: string; readonly secretName?: string };
  readonly objects: readonly CheckedObject[];
  readonly refresh?: boolean | Duration;
  readonly filePermission?: string;
  readonly fsGroup?: number;
}

/** A vault object as both volume types check it. */
export interface CheckedObject {
  readonly type: ObjectType;
  readonly name: string;
  readonly version?: string;
  readonly file?: string;
  readonly format?: string;
  readonly filePermission?: string;
}

/**
 * Everything for which a node would refuse the volume, for synthesis. `checkFile` throws for an invalid file name.
 */
export function vaultVolumeProblems(
  props: CheckedVolume,
  name: string,
  checkFile: (file: string, what: string) => void = checkFileName,
): string[] {
  const { vault, tenantId, objects, reader, refresh, filePermission, fsGroup } = props;
  const found: string[] = [];
  const expect = (fine: boolean, what: string, toBe: string, got: unknown) => {
    if (!fine) found.push(`Expected \`${what}\` to be ${toBe}, got \`${String(got)}\``);
  };
  expect(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name), 'name', 'a DNS label', name);
  expect(vaultNamePattern.test(vault), 'vault', 'a name of 3 to 24 letters, digits and hyphens', vault);
  expect(tenantPattern.test(tenantId), 'tenantId', 'a GUID or a domain name', tenantId);
  if (reader.kind === 'servicePrincipal') {
    const { secretName = '' } = reader;
    const dnsName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
    expect(dnsName.test(secretName), 'reader.secretName', 'the name of a Secret', secretName);
  }
  if (typeof refresh === 'object') {
    const seconds = refresh.toSeconds({ integral: false });
    expect(
      Number.isInteger(seconds) && seconds >= shortestRefresh,
      'refresh',
      `whole seconds, ${shortestRefresh} at least`,
      `${seconds} s`,
    );
  }
  if (filePermission !== undefined) {
    expect(filePermissionPattern.test(filePermission), 'filePermission', 'an octal mode', filePermission);
  }
  if (fsGroup !== undefined) {
    expect(Number.isInteger(fsGroup) && fsGroup >= 0 && fsGroup < 0xffff_ffff, 'fsGroup', 'a group id', fsGroup);
  }
  expect(
    objects.length >= 1 && objects.length <= mostObjects,
    'objects',
    `1 to ${mostObjects} objects`,
    objects.length,
  );
  for (const object of objects) found.push(...objectProblems(object, checkFile));
  tryCheck(found, () => checkCollisions(objects.map(({ name: own, file }) => ({ name: own, file: file || own }))));
  return found;
}

function objectProblems(
  { type, name, version = '', file = '', format, filePermission }: CheckedObject,
  checkFile: (file: string, what: string) => void,
): string[] {
  const found: string[] = [];
  if (!objectNamePattern.test(name)) {
    found.push(`Expected \`name\` of a ${type} to be 1 to 127 letters, digits and hyphens, got \`${name}\``);
  }
  if (!versionPattern.test(version)) {
    found.push(`Expected \`version\` of the ${type} "${name}" to be the id of a version, got \`${version}\``);
  }
  const formats: readonly string[] = formatsOf[type];
  if (format !== undefined && !formats.includes(format)) {
    found.push(`Expected \`format\` of the ${type} "${name}" to be one of ${formats.join(', ')}, got \`${format}\``);
  }
  if (file !== '') tryCheck(found, () => checkFile(file, `the file of "${name}",`));
  if (filePermission !== undefined && !filePermissionPattern.test(filePermission)) {
    found.push(`Expected \`filePermission\` of the ${type} "${name}" to be an octal mode, got \`${filePermission}\``);
  }
  return found;
}

function tryCheck(found: string[], check: () => void): void {
  try {
    check();
  } catch (error) {
    found.push((error as Error).message.replace(/^validation failed, /, ''));
  }
}
