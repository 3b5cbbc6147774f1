import type { k8s } from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import { identityPermissions } from '../../runtime/api/permissions/index.ts';
import { ControllerProgram, type ControllerProps } from '../private/controller-program.ts';
import { nameProblems } from '../private/names.ts';
import { type NamespaceScopes, scopeArguments, scopeProblems } from '../private/scope-list.ts';

/** Properties of `IdentityController`. */
export interface IdentityControllerProps extends ControllerProps {
  /**
   * The Secret with AZURE_TENANT_ID and AZURE_CLIENT_ID, and AZURE_CLIENT_SECRET or AZURE_CLIENT_CERTIFICATE where it
   * signs in with one; without, as its service account (workload federation). Not used with `cloudConfigSecret`.
   *
   * @default 'azimuth-identity-settings'
   */
  readonly settingsSecret?: string;

  /**
   * A Secret whose key `azure.json` is a cloud provider's configuration, JSON or YAML. It is read again when it changes.
   *
   * @default none, `settingsSecret` is used
   */
  readonly cloudConfigSecret?: string;

  /**
   * Whether bindings and identities serve pods of their own namespace only. Give NodeIdentity the same value.
   *
   * @default false
   */
  readonly forceNamespaced?: boolean;

  /**
   * Which user-assigned identities the AzureIdentities of a namespace may name: ARM ids of identities, or of their
   * resource groups and subscriptions, by namespace, or `*` for any. Give NodeIdentity the same value.
   *
   * @default any identity; none under the multi-tenant profile
   */
  readonly identityScopes?: NamespaceScopes;

  /**
   * Client ids of identities that are never detached from a machine.
   *
   * @default none
   */
  readonly immutableClientIds?: readonly string[];

  /**
   * Names of the Secrets that identities of types 1 and 2 may name; limits the role to these.
   *
   * @default any
   */
  readonly secretNames?: readonly string[];

  /**
   * Further arguments, such as `--identity-assignment-reconcile-interval=5m`.
   *
   * @default none
   */
  readonly args?: readonly string[];

  /**
   * Further environment variables.
   *
   * @default none
   */
  readonly env?: Readonly<Record<string, string>>;
}

const CLOUD_CONFIG_DIRECTORY = '/etc/azimuth/cloud';

/**
 * The program that assigns identities to pods by bindings, and attaches them to virtual machines and scale sets.
 *
 * Its identity in Azure needs Virtual Machine Contributor on the resource groups of the nodes, and Managed Identity
 * Operator on the identities that it attaches.
 */
export class IdentityController extends ControllerProgram {
  constructor(scope: Construct, id: string, props: IdentityControllerProps) {
    const { cloudConfigSecret, immutableClientIds = [] } = props;
    const flags = [
      ...(props.forceNamespaced ? ['--forceNamespaced=true'] : []),
      ...(immutableClientIds.length > 0 ? [`--immutable-user-msis=${immutableClientIds.join(',')}`] : []),
      ...scopeArguments('identity-scopes', props.identityScopes),
    ];
    const cloud = cloudConfig(cloudConfigSecret);
    super(scope, id, props, {
      program: 'identity',
      healthPort: 8080,
      args: [...flags, ...(cloud ? [`--cloudconfig=${CLOUD_CONFIG_DIRECTORY}/azure.json`] : []), ...(props.args ?? [])],
      env: props.env,
      ...(cloud ?? { envFrom: [{ secretRef: { name: props.settingsSecret ?? 'azimuth-identity-settings' } }] }),
      permissions: identityPermissions(props.secretNames ? { secretNames: props.secretNames } : {}),
    });
    const { secretNames = [] } = props;
    this.node.addValidation({
      validate: () => [
        ...nameProblems('secretNames', secretNames),
        ...scopeProblems('identityScopes', props.identityScopes),
      ],
    });
  }
}

function cloudConfig(
  secretName: string | undefined,
): { volumes: k8s.Volume[]; volumeMounts: k8s.VolumeMount[] } | undefined {
  if (secretName === undefined) return undefined;
  const name = 'cloud-config';
  return {
    volumes: [{ name, secret: { secretName, defaultMode: 0o440, items: [{ key: 'azure.json', path: 'azure.json' }] } }],
    volumeMounts: [{ name, mountPath: CLOUD_CONFIG_DIRECTORY, readOnly: true }],
  };
}
