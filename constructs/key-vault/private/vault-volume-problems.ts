import type { Duration } from 'cdk8s';
import { checkCollisions, checkFileName } from '../../../runtime/api/volumes/file-names.ts';
import { jsonKeyProblem } from '../../../runtime/api/volumes/json-keys.ts';
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
  /** Number of entries that select objects of the vault, beside the objects with a name. */
  readonly selections?: number;
  readonly refresh?: boolean | Duration;
  readonly filePermission?: string;
  readonly fsGroup?: number;
}

/** The files of a vault object as both volume types check them. */
export interface CheckedFile {
  readonly type: ObjectType;
  readonly file?: string;
  readonly format?: string;
  readonly jsonKey?: string;
  readonly filePermission?: string;
}

interface CheckedObject extends CheckedFile {
  readonly name: string;
  readonly version?: string;
}

/** Throws for a name that no file can have. */
type CheckFile = (file: string, what: string) => void;

/** Everything for which a node would refuse the volume, for synthesis. */
export function vaultVolumeProblems(
  props: CheckedVolume,
  name: string,
  checkFile: CheckFile = checkFileName,
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
  const entries = objects.length + (props.selections ?? 0);
  expect(entries >= 1 && entries <= mostObjects, 'objects', `1 to ${mostObjects} objects`, entries);
  for (const object of objects) found.push(...objectProblems(object, checkFile));
  tryCheck(found, () => checkCollisions(objects.map(({ name: own, file }) => ({ name: own, file: file || own }))));
  return found;
}

function objectProblems(object: CheckedObject, checkFile: CheckFile): string[] {
  const { type, name, version = '' } = object;
  const entry = `the ${type} "${name}"`;
  return [
    ...(objectNamePattern.test(name)
      ? []
      : [`Expected \`name\` of a ${type} to be 1 to 127 letters, digits and hyphens, got \`${name}\``]),
    ...(versionPattern.test(version)
      ? []
      : [`Expected \`version\` of ${entry} to be the id of a version, got \`${version}\``]),
    ...fileProblems(object, entry, checkFile),
  ];
}

/** What is wrong with the files of an object, or of the objects that an entry selects. */
export function fileProblems(file: CheckedFile, entry: string, checkFile: CheckFile): string[] {
  const { type, file: path = '', format, jsonKey, filePermission } = file;
  const problems: string[] = [];
  const formats: readonly string[] = formatsOf[type];
  if (format !== undefined && !formats.includes(format)) {
    problems.push(`Expected \`format\` of ${entry} to be one of ${formats.join(', ')}, got \`${format}\``);
  }
  if (jsonKey !== undefined) {
    const problem = format === undefined ? jsonKeyProblem(jsonKey) : 'goes without `format`';
    if (problem !== undefined) problems.push(`\`jsonKey\` of ${entry} ${problem}`);
  }
  if (path !== '') tryCheck(problems, () => checkFile(path, `the file of ${entry},`));
  if (filePermission !== undefined && !filePermissionPattern.test(filePermission)) {
    problems.push(`Expected \`filePermission\` of ${entry} to be an octal mode, got \`${filePermission}\``);
  }
  return problems;
}

function tryCheck(found: string[], check: () => void): void {
  try {
    check();
  } catch (error) {
    found.push((error as Error).message.replace(/^validation failed, /, ''));
  }
}
