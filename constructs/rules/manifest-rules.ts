/** The rules of an organisation as pure functions over manifests. */

/** An object of a manifest. */
export interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string };
  // biome-ignore lint/suspicious/noExplicitAny: manifests of any kind
  readonly [member: string]: any;
}

/** Settings of the rules, from `properties` in cdk8s.yaml. A rule without a setting of its own is on or off. */
export interface RuleSettings {
  /**
   * No Secret with content in the manifests, and no password, key or token as the text of an environment variable.
   *
   * @default true
   */
  readonly noSecretLiterals?: boolean;

  /**
   * Regions of Azure resources, such as `westeurope`.
   *
   * @default any
   */
  readonly allowedRegions?: readonly string[];

  /**
   * Tiers and sizes by kind, such as `{ 'storage.azure.com/StorageAccount': ['Standard_ZRS'] }`.
   *
   * @default any
   */
  readonly allowedSkus?: Readonly<Record<string, readonly string[]>>;

  /**
   * No identity with a client secret or certificate, and no export of an account key that a role replaces.
   *
   * @default false
   */
  readonly managedIdentityOnly?: boolean;

  /**
   * No secret of Azure in a Kubernetes Secret, where a Key Vault can have it.
   *
   * @default false
   */
  readonly vaultOnly?: boolean;
}

/** A place of an object that breaks a rule. */
export interface Finding {
  /** Path of the field, such as `spec.location`. */
  readonly location: string;
}

/** A rule: its name, its purpose, how to fix a violation, and the places that break it. */
export interface Rule {
  readonly name: string;
  readonly recommendation: string;
  readonly fix: string;
  readonly check: (manifest: Manifest) => readonly string[];
}

const groupOf = ({ apiVersion = '' }: Manifest) => apiVersion.split('/').slice(0, -1).join('');
const typeOf = (manifest: Manifest) => `${groupOf(manifest)}/${manifest.kind ?? ''}`;
const isAzure = (manifest: Manifest) => /\.azure\.com$|^azimuth\.dev$/.test(groupOf(manifest));
/** An object or a list. */
const hasMembers = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object';
const members = (value: unknown) => (hasMembers(value) ? Object.entries(value) : []);

/** Each object below a value with its path. */
function* objectsBelow(value: unknown, path: string): Generator<[path: string, object: Record<string, unknown>]> {
  if (!hasMembers(value)) return;
  if (!Array.isArray(value)) yield [path, value];
  for (const [name, child] of Object.entries(value)) {
    yield* objectsBelow(child, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
  }
}

const secretName = /passw(or)?d|secret|token|connection_?string|(api|access|account|private)_?key|^key$/i;

/** Secrets with content, and texts that are secrets by their name. A text that Kubernetes expands is none. */
function secretLiterals(manifest: Manifest): string[] {
  const data = manifest.kind === 'Secret' ? ['data', 'stringData'].flatMap((name) => contents(manifest, name)) : [];
  const texts = [...objectsBelow(manifest, '')].flatMap(([path, { name, value }]) => {
    const isVariable = /\benv\[\d+\]$/.test(path) && typeof name === 'string' && typeof value === 'string';
    return isVariable && value !== '' && secretName.test(name) && !value.startsWith('$(') ? [`${path}.value`] : [];
  });
  const passwords = isAzure(manifest)
    ? [...objectsBelow(manifest['spec'], 'spec')].flatMap(([path, object]) =>
        Object.entries(object).flatMap(([name, value]) =>
          typeof value === 'string' && value !== '' && /passw(or)?d$|secret$|connectionString$/i.test(name)
            ? [`${path}.${name}`]
            : [],
        ),
      )
    : [];
  return [...data, ...texts, ...passwords];
}

const contents = (manifest: Manifest, member: string) =>
  members(manifest[member]).flatMap(([key, value]) => (value ? [`${member}.${key}`] : []));

const plain = (region: string) => region.toLowerCase().replaceAll(' ', '');

function regions(allowed: readonly string[]): Rule['check'] {
  const known = new Set(allowed.map(plain));
  return (manifest) => {
    if (!isAzure(manifest)) return [];
    const { spec } = manifest;
    const places: [string, unknown][] = [
      ['spec.location', spec?.location],
      ['spec.body.location', spec?.body?.location],
    ];
    return places.flatMap(([path, value]) =>
      typeof value === 'string' && value !== 'global' && !known.has(plain(value)) ? [path] : [],
    );
  };
}

function skus(allowed: Readonly<Record<string, readonly string[]>>): Rule['check'] {
  return (manifest) => {
    const names = allowed[typeOf(manifest)];
    if (!names) return [];
    const { spec } = manifest;
    const places: [string, unknown][] = [
      ['spec.sku.name', spec?.sku?.name],
      ['spec.properties.sku.name', spec?.properties?.sku?.name],
      ['spec.sku', spec?.sku],
      ['spec.hardwareProfile.vmSize', spec?.hardwareProfile?.vmSize],
    ];
    return places.flatMap(([path, value]) => (typeof value === 'string' && !names.includes(value) ? [path] : []));
  };
}

/** Kinds whose keys a role replaces. */
const keyed = new Set([
  'storage.azure.com/StorageAccount',
  'servicebus.azure.com/Namespace',
  'eventhub.azure.com/Namespace',
  'containerregistry.azure.com/Registry',
  'documentdb.azure.com/DatabaseAccount',
]);

function sharedKeys(manifest: Manifest): string[] {
  const { spec } = manifest;
  if (typeOf(manifest) === 'aadpodidentity.k8s.io/AzureIdentity' && [1, 2].includes(spec?.type)) return ['spec.type'];
  const volumes = [...objectsBelow(spec, 'spec')].flatMap(([path, object]) =>
    object['driver'] === 'azure/kv' && object['secretRef'] !== undefined ? [`${path}.secretRef`] : [],
  );
  const exported = keyed.has(typeOf(manifest)) ? members(spec?.operatorSpec?.secrets) : [];
  const keys = exported.filter(([name]) => !/endpoint$|loginServer/i.test(name));
  return [...volumes, ...keys.map(([name]) => `spec.operatorSpec.secrets.${name}`)];
}

function kubernetesSecrets(manifest: Manifest): string[] {
  if (!isAzure(manifest)) return [];
  const { operatorSpec } = manifest['spec'] ?? {};
  return [
    ...members(operatorSpec?.secrets).map(([name]) => `spec.operatorSpec.secrets.${name}`),
    ...members(operatorSpec?.secretExpressions).map(([index]) => `spec.operatorSpec.secretExpressions[${index}]`),
  ];
}

/** The rules that the settings switch on. */
export function rulesOf(settings: RuleSettings): Rule[] {
  const { noSecretLiterals = true, allowedRegions, allowedSkus, managedIdentityOnly, vaultOnly } = settings;
  const rules: (Rule | false)[] = [
    noSecretLiterals && {
      name: 'noSecretLiterals',
      recommendation: 'Manifests are in a repository, so they hold no secret.',
      fix: 'Read the value from a Key Vault (KeyVaultVolume) or from `export()` of the resource that has it.',
      check: secretLiterals,
    },
    allowedRegions !== undefined && {
      name: 'allowedRegions',
      recommendation: `Resources are in these regions only: ${allowedRegions.join(', ')}.`,
      fix: 'Set `location` to one of these regions.',
      check: regions(allowedRegions),
    },
    allowedSkus !== undefined && {
      name: 'allowedSkus',
      recommendation: `These tiers and sizes are in use: ${Object.entries(allowedSkus)
        .map(([kind, names]) => `${kind} ${names.join(', ')}`)
        .join('; ')}.`,
      fix: 'Choose a tier or size of the list.',
      check: skus(allowedSkus),
    },
    managedIdentityOnly === true && {
      name: 'managedIdentityOnly',
      recommendation: 'Workloads sign in as managed identities, whose credentials nobody can copy.',
      fix: 'Use a UserAssignedIdentity and a grant, such as `account.grantBlobRead(identity)`.',
      check: sharedKeys,
    },
    vaultOnly === true && {
      name: 'vaultOnly',
      recommendation: 'Secrets of Azure are in a Key Vault, which records who reads them.',
      fix: 'Export into a vault (`operatorSpec.keyVault`) and mount it (`AzureWorkload.mount`).',
      check: kubernetesSecrets,
    },
  ];
  return rules.filter((rule) => rule !== false);
}
