import type { Duration } from 'cdk8s';
import { type IStorage, type k8s, Volume, type Workload } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { restartAnnotation } from '../runtime/api/volumes/annotations.ts';
import { csiVolumeProblems, secretProviderClass } from './private/secret-provider-class.ts';
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

/** What volumes of both kinds have. */
interface VaultVolumeProps {
  /** Name of the vault. */
  readonly vault: string;

  /** The directory (tenant) of the vault: a GUID or a domain name. */
  readonly tenantId: string;

  /**
   * The volume's name in the pod.
   *
   * @default the construct's id in lower case
   */
  readonly name?: string;

  /**
   * The cloud, such as `AzureChinaCloud`.
   *
   * @default the node's setting, else AzurePublicCloud
   */
  readonly cloud?: string;
}

export interface KeyVaultVolumeProps extends VaultVolumeProps {
  /** Who reads the vault. */
  readonly reader: VaultReader;

  /** The files, 1 to 500. */
  readonly objects: readonly VaultObject[];

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
}

interface CsiObjectOf<Type extends string> {
  readonly type: Type;

  /** Its name in the vault. */
  readonly name: string;

  /**
   * The id of a version; of a history, its newest.
   *
   * @default the newest
   */
  readonly version?: string;

  /**
   * How many versions: 2 and more make a directory of `0`, `1`, ..., the newest first.
   *
   * @default 1, a file
   */
  readonly history?: number;

  /**
   * Path of the file in the volume.
   *
   * @default the name of the object
   */
  readonly file?: string;

  /**
   * Mode of the file in octal, such as `0440`.
   *
   * @default the CSI driver's, 0644
   */
  readonly filePermission?: string;
}

/** An object of a vault as a file of a CSI volume. Keys and certificates are PEM. */
export type CsiObject =
  | (CsiObjectOf<'secret'> & {
      /**
       * `raw` is the value as the vault keeps it; `pem` and `pfx` are of secrets behind certificates, `pfx` as binary.
       *
       * @default 'raw'
       */
      readonly format?: 'raw' | 'pem' | 'pfx';
    })
  | CsiObjectOf<'key'>
  | CsiObjectOf<'cert'>;

/** Who reads the vault for a CSI volume. */
export type CsiReader =
  | VaultReader
  /** The pod's service account, which the application or identity with this client id trusts. */
  | { readonly kind: 'workload'; readonly clientId: string };

export interface KeyVaultCsiVolumeProps extends VaultVolumeProps {
  /** Who reads the vault. */
  readonly reader: CsiReader;

  /** The files, 1 to 500. */
  readonly objects: readonly CsiObject[];

  /**
   * The provider of the driver that serves the volume.
   *
   * @default 'azure'
   */
  readonly provider?: string;
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
    props: VaultVolumeProps,
    source: (self: Construct) => Omit<k8s.Volume, 'name'>,
    problems: (name: string) => string[],
  ) {
    super(scope, id);
    this.name = props.name ?? id.toLowerCase();
    this.#volume = new AnyVolume(this, 'Volume', this.name, source(this));
    this.node.addValidation({ validate: () => problems(this.name) });
  }

  /** By the driver `azure/kv` (KeyVaultVolumes): for clusters without a CSI driver, and pod specs as they always were. */
  static flex(scope: Construct, id: string, props: KeyVaultVolumeProps): KeyVaultVolume {
    const { reader } = props;
    const secretRef = reader.kind === 'servicePrincipal' ? { name: reader.secretName } : undefined;
    const flexVolume = { driver: 'azure/kv', ...(secretRef && { secretRef }), options: flexOptions(props) };
    const problems = (name: string) => [...vaultVolumeProblems(props, name), ...flexProblems(props)];
    return new KeyVaultVolume(scope, id, props, () => ({ flexVolume }), problems);
  }

  /**
   * By the Secrets Store CSI driver and a provider of Azure (KeyVaultVolumes, or the Azure provider): a
   * SecretProviderClass and a volume that names it. Mount it with `readOnly`.
   */
  static csi(scope: Construct, id: string, props: KeyVaultCsiVolumeProps): KeyVaultVolume {
    const { reader } = props;
    const source = (self: Construct) => {
      const { name } = secretProviderClass(self, 'Class', props);
      return {
        csi: {
          driver: 'secrets-store.csi.k8s.io',
          readOnly: true,
          volumeAttributes: { secretProviderClass: name },
          ...(reader.kind === 'servicePrincipal' && { nodePublishSecretRef: { name: reader.secretName } }),
        },
      };
    };
    return new KeyVaultVolume(scope, id, props, source, (name) => csiVolumeProblems(props, name));
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
