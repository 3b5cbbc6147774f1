import type { Duration } from 'cdk8s';
import { type IStorage, type k8s, Volume, type Workload } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { restartAnnotation } from '../runtime/api/volumes/annotations.ts';
import { vaultVolumeProblems } from './private/vault-volume-problems.ts';

interface VaultObjectOf<Type extends string, Format extends string> {
  readonly type: Type;

  /** Its name in the vault. */
  readonly name: string;

  /**
   * The id of a version.
   *
   * @default the newest
   */
  readonly version?: string;

  /**
   * Name of the file.
   *
   * @default the name of the object
   */
  readonly file?: string;

  /**
   * What the file holds; docs/reference/key-vault-volumes.md has the bytes of each.
   *
   * @default 'raw'
   */
  readonly format?: Format;
}

/** An object of a vault as a file. */
export type VaultObject =
  | VaultObjectOf<'secret', 'raw' | 'pem' | 'pfx'>
  | VaultObjectOf<'key', 'raw' | 'pem' | 'jwk' | 'der'>
  | VaultObjectOf<'cert', 'raw' | 'pem' | 'der'>;

/** Who reads the vault. */
export type VaultReader =
  /** The pod, by an AzureIdentityBinding (PodIdentity.of). */
  | { readonly kind: 'pod' }
  /** The machine; the system-assigned identity without `clientId`. */
  | { readonly kind: 'machine'; readonly clientId?: string }
  /** A Secret of the workload's namespace with `clientid` and `clientsecret`; for FlexVolume its type is `azure/kv`. */
  | { readonly kind: 'servicePrincipal'; readonly secretName: string };

export interface KeyVaultVolumeProps {
  /** Name of the vault. */
  readonly vault: string;

  /** The directory (tenant) of the vault: a GUID or a domain name. */
  readonly tenantId: string;

  /** Who reads the vault. */
  readonly reader: VaultReader;

  /** The files, 1 to 500. */
  readonly objects: readonly VaultObject[];

  /**
   * The volume's name in the pod.
   *
   * @default the construct's id in lower case
   */
  readonly name?: string;

  /**
   * Keeps the files up to date: `true` at the node agent's own interval, or at this one, 10 seconds at least.
   *
   * @default false
   */
  readonly refresh?: boolean | Duration;

  /**
   * Mode of the files in octal, such as `0440`.
   *
   * @default the node's setting, else 0440
   */
  readonly filePermission?: string;

  /**
   * Group id that owns the files.
   *
   * @default the pod's `securityContext.fsGroup`, else 0
   */
  readonly fsGroup?: number;

  /**
   * Region of the vault; where the vault tells another one, the mount fails.
   *
   * @default not checked
   */
  readonly region?: string;

  /**
   * The cloud, such as `AzureChinaCloud`.
   *
   * @default the node's setting, else AzurePublicCloud
   */
  readonly cloud?: string;
}

/** cdk8s-plus has no way to a volume of a kind that it does not know, but to its constructor. */
const AnyVolume = Volume as unknown as new (
  scope: Construct,
  id: string,
  name: string,
  source: Omit<k8s.Volume, 'name'>,
) => Volume;

/**
 * Objects of a key vault as files of a pod.
 *
 * ```ts
 * const vault = KeyVaultVolume.flex(chart, 'Vault', {
 *   vault: 'contoso',
 *   tenantId,
 *   reader: { kind: 'pod' },
 *   objects: [{ type: 'secret', name: 'web', file: 'tls.pem', format: 'pem' }],
 * });
 * container.mount('/vault', vault, { readOnly: true });
 * ```
 */
export class KeyVaultVolume extends Construct implements IStorage {
  /** The volume's name in the pod. */
  readonly name: string;
  readonly #volume: Volume;

  private constructor(
    scope: Construct,
    id: string,
    props: KeyVaultVolumeProps,
    source: Omit<k8s.Volume, 'name'>,
    problems: (props: KeyVaultVolumeProps) => string[],
  ) {
    super(scope, id);
    this.name = props.name ?? id.toLowerCase();
    this.#volume = new AnyVolume(this, 'Volume', this.name, source);
    this.node.addValidation({ validate: () => [...vaultVolumeProblems(props, this.name), ...problems(props)] });
  }

  /** By the driver `azure/kv` (KeyVaultVolumes): for clusters without a CSI driver, and pod specs as they always were. */
  static flex(scope: Construct, id: string, props: KeyVaultVolumeProps): KeyVaultVolume {
    const { reader } = props;
    const secretRef = reader.kind === 'servicePrincipal' ? { name: reader.secretName } : undefined;
    const flexVolume = { driver: 'azure/kv', ...(secretRef && { secretRef }), options: flexOptions(props) };
    return new KeyVaultVolume(scope, id, props, { flexVolume }, flexProblems);
  }

  /**
   * Lets the node agents restart a workload, as `kubectl rollout restart` does, when an object of a volume that is kept
   * up to date has changed. The agents must be allowed to in the workload's namespace (KeyVaultVolumes).
   */
  static restartOnChange(workload: Workload): void {
    workload.podMetadata.addAnnotation(restartAnnotation, 'true');
  }

  /** As containers mount it. */
  asVolume(): Volume {
    return this.#volume;
  }
}

/** The options of the driver; those that say what holds anyway are left out. */
function flexOptions(props: KeyVaultVolumeProps): Record<string, string> {
  const { objects, reader, refresh, filePermission, fsGroup, region, cloud } = props;
  const list = (of: (object: VaultObject) => string | undefined) => {
    const values = objects.map((object) => of(object) ?? '');
    return values.some((value) => value !== '') ? values.join(';') : undefined;
  };
  const options: Record<string, string | undefined> = {
    tenantid: props.tenantId,
    keyvaultname: props.vault,
    keyvaultobjectnames: list(({ name }) => name) ?? '',
    keyvaultobjecttypes: list(({ type }) => type) ?? '',
    keyvaultobjectversions: list(({ version }) => version),
    keyvaultobjectaliases: list(({ file }) => file),
    keyvaultobjectformats: list(({ format }) => format),
    usepodidentity: reader.kind === 'pod' ? 'true' : undefined,
    usevmmanagedidentity: reader.kind === 'machine' ? 'true' : undefined,
    vmmanagedidentityclientid: reader.kind === 'machine' ? reader.clientId : undefined,
    refresh: typeof refresh === 'object' ? String(refresh.toSeconds()) : refresh ? 'true' : undefined,
    filepermission: filePermission,
    fsgroup: fsGroup?.toString(),
    region,
    cloudname: cloud,
  };
  return Object.fromEntries(
    Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Options list file names by `;`. */
function flexProblems({ objects }: KeyVaultVolumeProps): string[] {
  return objects.flatMap(({ file = '' }) =>
    file.includes(';') ? [`Expected \`file\` of a FlexVolume's object to be without ";", got \`${file}\``] : [],
  );
}
