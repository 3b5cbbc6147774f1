import { type IStorage, type k8s, Volume, type Workload } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { restartAnnotation } from '../../runtime/api/volumes/annotations.ts';
import type {
  KeyVaultCsiVolumeProps,
  KeyVaultVolumeProps,
  VaultObject,
  VaultVolumeProps,
} from './key-vault-volume-props.ts';
import { csiVolumeProblems } from './private/csi-volume-problems.ts';
import { secretProviderClass } from './private/secret-provider-class.ts';
import { vaultVolumeProblems } from './private/vault-volume-problems.ts';

export type * from './key-vault-volume-props.ts';

/** cdk8s-plus has no method for FlexVolumes and CSI volumes, but its constructor accepts them. */
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

  /** A volume of the driver `azure/kv` (KeyVaultVolumes): for clusters without a CSI driver, and existing pod specs. */
  static flex(scope: Construct, id: string, props: KeyVaultVolumeProps): KeyVaultVolume {
    const { reader } = props;
    const secretRef = reader.kind === 'servicePrincipal' ? { name: reader.secretName } : undefined;
    const flexVolume = { driver: 'azure/kv', ...(secretRef && { secretRef }), options: flexOptions(props) };
    const problems = (name: string) => [...vaultVolumeProblems(props, name), ...flexProblems(props)];
    return new KeyVaultVolume(scope, id, props, () => ({ flexVolume }), problems);
  }

  /**
   * A volume of the Secrets Store CSI driver and a provider of Azure (KeyVaultVolumes, or the Azure provider): a
   * SecretProviderClass, and a volume that names it. Mount it with `readOnly`.
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
   * Lets the node agents restart a workload, as `kubectl rollout restart` does, when an object of a volume with
   * `refresh` changes. `restartNamespaces` of KeyVaultVolumes must list the namespace of the workload.
   */
  static restartOnChange(workload: Workload): void {
    workload.podMetadata.addAnnotation(restartAnnotation, 'true');
  }

  /** The volume that containers mount. */
  asVolume(): Volume {
    return this.#volume;
  }
}

/** The options of the driver; those that equal the default are left out. */
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
    keyvaultobjectjsonkeys: list((object) => (object.type === 'secret' ? object.jsonKey : undefined)),
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

/** Options separate file names and JSON keys by `;`. */
function flexProblems({ objects }: KeyVaultVolumeProps): string[] {
  return objects.flatMap((object) => {
    const separated = { file: object.file, ...(object.type === 'secret' && { jsonKey: object.jsonKey }) };
    return Object.entries(separated).flatMap(([member, text]) =>
      text?.includes(';') ? [`Expected \`${member}\` of a FlexVolume's object to be without ";", got \`${text}\``] : [],
    );
  });
}
