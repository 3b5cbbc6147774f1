/** Adds certificates, identities and extensions to a body. All functions return new bodies and keep all entries. */
import { isObject, type JsonObject } from '../../base/json.ts';
import {
  listIn,
  type Machine,
  type MachineExtension,
  objectIn,
  osProfileOf,
  profileOf,
  type SecretUse,
  textIn,
} from './machine-model.ts';

/** The body with these user-assigned identities beside its own. An id that is there in another case is not added again. */
export function attachIdentities(body: JsonObject, ids: readonly string[]): JsonObject {
  const identity = objectIn(body, 'identity');
  const present = objectIn(identity, 'userAssignedIdentities');
  const known = new Set(Object.keys(present).map((id) => id.toLowerCase()));
  const added: JsonObject = {};
  for (const id of ids) {
    if (known.has(id.toLowerCase())) continue;
    known.add(id.toLowerCase());
    added[id] = {};
  }
  if (Object.keys(added).length === 0) return body;
  const system = (textIn(identity, 'type') ?? '').toLowerCase().includes('systemassigned');
  const type = system ? 'SystemAssigned, UserAssigned' : 'UserAssigned';
  return { ...body, identity: { ...identity, type, userAssignedIdentities: { ...present, ...added } } };
}

/**
 * The machine with the certificates of these uses in `osProfile.secrets`: one group for each vault, ignoring case of
 * its id, after the groups and certificates that are there. On Linux no certificate has a store.
 */
export function mergeSecretGroups(machine: Machine, uses: readonly SecretUse[]): Machine {
  if (uses.length === 0 && machine.os === 'Windows') return machine;
  const present = listIn(osProfileOf(machine), 'secrets').filter(isObject);
  const groups = present.map((group) => ({ ...group, vaultCertificates: certificatesOf(machine, group) }));
  const byVault = new Map(groups.map((group) => [vaultKey(group), group.vaultCertificates]));
  const created: JsonObject[] = [];
  for (const { version, certificateStore } of uses) {
    if (!version) continue;
    const certificates = byVault.get(version.vaultId.toLowerCase()) ?? [];
    if (!byVault.has(version.vaultId.toLowerCase())) {
      byVault.set(version.vaultId.toLowerCase(), certificates);
      created.push({ sourceVault: { id: version.vaultId }, vaultCertificates: certificates });
    }
    const store = machine.os === 'Windows' ? certificateStore : undefined;
    const certificate = { certificateUrl: version.secretUrl, ...(store !== undefined && { certificateStore: store }) };
    if (!certificates.some((each) => sameCertificate(each, certificate))) certificates.push(certificate);
  }
  const secrets = [...groups, ...created];
  if (secrets.length === 0) return machine;
  return withProfile(machine, { osProfile: { ...osProfileOf(machine), secrets } });
}

/** The certificates of a group; on Linux without stores, which a warning reports. */
function certificatesOf({ os }: Machine, group: JsonObject): JsonObject[] {
  return listIn(group, 'vaultCertificates')
    .filter(isObject)
    .map((certificate) => {
      const { certificateStore: _, ...rest } = certificate;
      return os === 'Linux' ? rest : { ...certificate };
    });
}

function vaultKey(group: JsonObject): string {
  return (textIn(objectIn(group, 'sourceVault'), 'id') ?? '').toLowerCase();
}

function sameCertificate(a: JsonObject, b: JsonObject): boolean {
  const same = (name: string) => textIn(a, name)?.toLowerCase() === textIn(b, name)?.toLowerCase();
  return same('certificateUrl') && same('certificateStore');
}

/** A scale set with these extensions in its model: one of the same name has its properties replaced, in its place. */
export function withExtensions(machine: Machine, extensions: readonly MachineExtension[]): Machine {
  if (extensions.length === 0) return machine;
  const profile = objectIn(profileOf(machine), 'extensionProfile');
  const byName = new Map(extensions.map((each) => [each.name, each]));
  const kept = listIn(profile, 'extensions').map((each) => {
    const changed = byName.get(textIn(objectIn(each), 'name') ?? '');
    if (!isObject(each) || !changed) return each;
    byName.delete(changed.name);
    return { ...each, properties: changed.properties };
  });
  const list = [...kept, ...[...byName.values()].map(({ name, properties }) => ({ name, properties }))];
  return withProfile(machine, { extensionProfile: { ...profile, extensions: list } });
}

/** The machine with members of its profile replaced. */
function withProfile(machine: Machine, members: JsonObject): Machine {
  const properties = objectIn(machine.body, 'properties');
  const profile = { ...profileOf(machine), ...members };
  const changed =
    machine.kind === 'VirtualMachine'
      ? { ...properties, ...profile }
      : { ...properties, virtualMachineProfile: profile };
  return { ...machine, body: { ...machine.body, properties: changed } };
}
