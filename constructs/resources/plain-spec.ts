import type { ArmKind } from '../../runtime/api/types.ts';
import { ExportedConfigValue, ExportedSecretValue } from './exported-value.ts';
import type { ResourceOf } from './typed-spec.ts';

/** A resource whose spec is written down. */
export interface SpecHome {
  readonly namespace: string | undefined;
  /** Undefined for ArmResource. */
  readonly arm: ArmKind | undefined;
}

const isResource = (value: object): value is ResourceOf => 'resourceType' in value && 'kind' in value;

const ids: Readonly<Record<string, RegExp>> = {
  'resources.azure.com/ResourceGroup': /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+$/i,
};

/**
 * The spec as the manifest has it: each construct as a reference, each exported value as name and key. `problems` gets
 * the errors in them: another namespace, a Secret where a ConfigMap is read, an owner by the ARM id of another type.
 */
export function plainSpec(spec: object, home: SpecHome, problems: string[]): Record<string, unknown> {
  const found = plain(spec, 'spec', home, problems) as Record<string, unknown>;
  problems.push(...ownerProblems(found['owner'], home.arm));
  return found;
}

function plain(value: unknown, path: string, home: SpecHome, problems: string[]): unknown {
  if (Array.isArray(value)) return value.map((each, index) => plain(each, `${path}[${index}]`, home, problems));
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof ExportedSecretValue || value instanceof ExportedConfigValue) {
    return exported(value, path, home, problems);
  }
  if (isResource(value)) return reference(value, path, home, problems);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member, `${path}.${name}`, home, problems)]));
}

function exported(
  value: ExportedSecretValue | ExportedConfigValue,
  path: string,
  home: SpecHome,
  problems: string[],
): object {
  const readsConfig = path.endsWith('FromConfig');
  if (readsConfig !== value instanceof ExportedConfigValue) {
    const [wanted, given] = readsConfig ? ['ConfigMap', 'Secret'] : ['Secret', 'ConfigMap'];
    problems.push(`${path} reads a ${wanted}, and \`${value.key}\` of ${value.path} is exported to a ${given}`);
  }
  problems.push(...foreign(value, path, home));
  return { name: value.name, key: value.key };
}

function reference(value: ResourceOf, path: string, home: SpecHome, problems: string[]): object {
  problems.push(...foreign(value, path, home));
  const { group, kind, name } = value;
  return path === 'spec.owner' && home.arm && !home.arm.owner?.extension ? { name } : { group, kind, name };
}

function foreign({ namespace, name }: { namespace: string | undefined; name: string }, path: string, home: SpecHome) {
  if (namespace === home.namespace) return [];
  return [
    `${path} refers to ${name} in the namespace \`${namespace ?? ''}\`, and references stay within one namespace ` +
      `(\`${home.namespace ?? ''}\`): declare it there, or refer to it by \`armId\``,
  ];
}

/** Compares an owner's ARM id with the type that owns the kind. */
function ownerProblems(owner: unknown, arm: ArmKind | undefined): string[] {
  const { armId } = (owner ?? {}) as { armId?: unknown };
  const { kinds = [], group = '', extension = true } = arm?.owner ?? {};
  if (typeof armId !== 'string' || extension) return [];
  const [type] = kinds.map((kind) => `${group}/${kind}`);
  const form = ids[type ?? ''] ?? parentForm(arm?.armPath ?? '');
  if (form.test(armId)) return [];
  return [`spec.owner.armId: expected the ARM id of a ${kinds.join(' or ')}, got \`${armId}\``];
}

/** The form of the ids of a path's parent: the same segments, with any text for each placeholder. */
function parentForm(armPath: string): RegExp {
  const parent = armPath.split('/').slice(0, -2);
  return new RegExp(
    `^${parent.map((each) => (each.startsWith('{') ? '[^/]+' : each.replaceAll('.', '\\.'))).join('/')}$`,
    'i',
  );
}
