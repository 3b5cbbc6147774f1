import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { renewalRules, restartRules, volumesPermissions } from '../../runtime/api/permissions/index.ts';
import { type ProgramLabels, programLabels } from '../private/labels.ts';
import { NamespaceGrant, ProgramRbac } from '../private/rbac.ts';
import type { KeyVaultVolumesProps } from './key-vault-volumes-props.ts';
import { agentDaemonSet, agentName, SETTINGS_FILE } from './private/agent-pod.ts';
import { agentProblems } from './private/agent-problems.ts';

export type * from './key-vault-volumes-props.ts';

/**
 * The agent of Key Vault volumes on every node: it installs the driver `azure/kv`, authenticates pods, reads vaults,
 * refreshes volumes, and serves the Secrets Store CSI driver where `csi` is set.
 *
 * Consists of a DaemonSet and its ServiceAccount with exactly the permissions that the program declares. The agent runs
 * as root with a read-only file system and one capability, CHOWN, for the group of files. It is not privileged, because
 * the driver mounts the volumes.
 */
export class KeyVaultVolumes extends Construct {
  readonly serviceAccountName: string;
  readonly namespace: string;
  readonly #props: KeyVaultVolumesProps;
  readonly #labels: ProgramLabels;
  readonly #settings: string | undefined;

  constructor(scope: Construct, id: string, props: KeyVaultVolumesProps) {
    super(scope, id);
    this.#props = props;
    this.#labels = programLabels('volumes', props.version);
    this.namespace = props.namespace;
    const settings = settingsOf(props);
    this.#settings = settings && JSON.stringify(settings, undefined, 2);
    const labels = this.#labels.all;
    const metadata = { name: agentName, namespace: props.namespace, labels };
    const permissions = volumesPermissions({ metricsReaders: props.metricsAuthentication !== false });
    const rbac = new ProgramRbac(this, 'Rbac', { ...metadata, permissions });
    this.serviceAccountName = rbac.serviceAccountName;
    for (const namespace of props.restartNamespaces ?? []) {
      new NamespaceGrant(this, `Restart-${namespace}`, {
        name: `${agentName}-restart`,
        namespace,
        labels,
        rules: restartRules,
        serviceAccount: { name: this.serviceAccountName, namespace: props.namespace },
      });
    }
    for (const [index, { namespace, names }] of (props.renewableSecrets ?? []).entries()) {
      new NamespaceGrant(this, `Renew-${index}`, {
        name: `${agentName}-renew`,
        namespace,
        labels,
        rules: renewalRules(names),
        serviceAccount: { name: this.serviceAccountName, namespace: props.namespace },
      });
    }
    if (this.#settings !== undefined) {
      new k8s.KubeConfigMap(this, 'Settings', { metadata, data: { [SETTINGS_FILE]: this.#settings } });
    }
    new k8s.KubeDaemonSet(this, 'Resource', { metadata, spec: this._toKube() });
    this.node.addValidation({ validate: () => agentProblems(props) });
  }

  /** @internal */
  _toKube(): k8s.DaemonSetSpec {
    return agentDaemonSet({
      props: this.#props,
      labels: this.#labels,
      serviceAccountName: this.serviceAccountName,
      settings: this.#settings,
    });
  }
}

/** The settings with the cloud in them; undefined where all are the driver's defaults. */
function settingsOf({ settings, cloud }: KeyVaultVolumesProps): object | undefined {
  if (!cloud) return settings;
  const { environment, ...others } = settings ?? {};
  return { ...others, environment: { AZURE_CLOUD_ENV: 'AzureStackCloud', ...(environment as object) }, cloud };
}
