import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { azureIdentity } from '../../runtime/api/pod-identity/azure-identity.ts';
import { behaviorAnnotation, namespacedBehavior } from '../../runtime/api/pod-identity/matching.ts';
import { validate } from '../../runtime/api/validate.ts';
import type { AzureResource } from '../azure-resource.ts';
import { nameProblems } from '../private/names.ts';
import { checkName } from '../private/unique-names.ts';

/** A Secret by name, in any namespace. */
export interface SecretReference {
  readonly namespace: string;
  readonly name: string;
}

/** The credential behind the tokens of the identity. */
export type IdentityCredential =
  /** A user-assigned identity, attached to the machines of its pods. */
  | { readonly kind: 'userAssigned'; readonly resourceId: string }
  /** The same, an object of the same namespace: the programs read its ids from its status. */
  | { readonly kind: 'userAssigned'; readonly identity: AzureResource<UserAssigned> }
  /** A service principal with a client secret, the only value of the Secret. */
  | {
      readonly kind: 'clientSecret';
      readonly tenantId: string;
      readonly secret: SecretReference;
      /** One to three further tenants. */
      readonly auxiliaryTenantIds?: readonly string[];
    }
  /** A service principal with a certificate: keys `certificate` (PKCS#12) and `password` of the Secret. */
  | { readonly kind: 'clientCertificate'; readonly tenantId: string; readonly secret: SecretReference }
  /** The pod's own service account token, exchanged at Microsoft Entra ID. */
  | { readonly kind: 'workloadFederation'; readonly tenantId: string }
  /** The same, for an identity that is an object of the same namespace. */
  | { readonly kind: 'workloadFederation'; readonly identity: AzureResource<UserAssigned> };

type UserAssigned = 'managedidentity.azure.com/UserAssignedIdentity';

/** Properties of `AzureIdentity`. */
export interface AzureIdentityProps {
  /** The namespace of the object, and of the bindings that give it to pods. */
  readonly namespace: string;

  /**
   * Its name.
   *
   * @default the construct's id in lower case
   */
  readonly name?: string;

  /**
   * The client id of the identity.
   *
   * @default that of `credential.identity`; required without
   */
  readonly clientId?: string;

  readonly credential: IdentityCredential;

  /**
   * Whether it serves pods of its own namespace only.
   *
   * @default true
   */
  readonly namespaced?: boolean;

  /**
   * The Microsoft Entra ID authority, for service principals in another cloud.
   *
   * @default that of the cloud
   */
  readonly authority?: string;
}

const types = { userAssigned: 0, clientSecret: 1, clientCertificate: 2, workloadFederation: 3 } as const;
const identityId =
  /^\/subscriptions\/[^/\s]+\/resourcegroups\/[^/\s]+\/providers\/microsoft\.managedidentity\/userassignedidentities\/[\w-]+$/i;

/**
 * An identity of Azure that bindings may assign to pods.
 *
 * It is namespaced by default: a pod in another namespace could otherwise use it by its label alone.
 */
export class AzureIdentity extends Construct {
  readonly name: string;
  readonly namespace: string;
  /** Whether it serves pods of its own namespace only. */
  readonly isNamespaced: boolean;
  /** The object that it takes its ids from, where there is one. */
  readonly identity: AzureResource<UserAssigned> | undefined;

  constructor(scope: Construct, id: string, props: AzureIdentityProps) {
    super(scope, id);
    this.name = props.name ?? id.toLowerCase();
    this.namespace = props.namespace;
    this.isNamespaced = props.namespaced ?? true;
    this.identity = 'identity' in props.credential ? props.credential.identity : undefined;
    const annotations = this.isNamespaced ? { [behaviorAnnotation]: namespacedBehavior } : undefined;
    const manifest = {
      apiVersion: 'aadpodidentity.k8s.io/v1',
      kind: azureIdentity.kind,
      metadata: { name: this.name, namespace: this.namespace, ...(annotations && { annotations }) },
      spec: specOf(props),
    };
    new ApiObject(this, 'Resource', manifest);
    checkName(this, '`name`, which is the id in lower case by default,');
    this.node.addValidation({
      validate: () => [
        ...nameProblems('namespace', [props.namespace]),
        ...problems(props),
        ...validate(azureIdentity, manifest).map(({ message }) => message),
      ],
    });
  }
}

function specOf({ clientId, credential, authority }: AzureIdentityProps) {
  return {
    type: types[credential.kind],
    ...(clientId !== undefined && { clientID: clientId }),
    ...('identity' in credential && { identityRef: { name: credential.identity.name } }),
    ...('resourceId' in credential && { resourceID: credential.resourceId }),
    ...('tenantId' in credential && { tenantID: credential.tenantId }),
    ...('secret' in credential && { clientPassword: { ...credential.secret } }),
    ...('auxiliaryTenantIds' in credential &&
      credential.auxiliaryTenantIds && { auxiliaryTenantIDs: [...credential.auxiliaryTenantIds] }),
    ...(authority !== undefined && { adEndpoint: authority }),
  };
}

function problems({ namespace, clientId, credential }: AzureIdentityProps): string[] {
  const found: string[] = [];
  if ('identity' in credential) {
    const { identity } = credential;
    if ((identity.namespace ?? namespace) === namespace) return found;
    return [
      `Expected \`credential.identity\` to be in the namespace \`${namespace}\` of the AzureIdentity, and ${identity.name} is in ` +
        `\`${identity.namespace}\`; declare both in one namespace`,
    ];
  }
  if ((clientId ?? '').trim() === '') found.push('Expected `clientId` to be the client id of the identity, got ``');
  if (credential.kind === 'userAssigned') {
    if (!identityId.test(credential.resourceId)) {
      found.push(
        `Expected \`credential.resourceId\` to be the ARM id of a user-assigned identity, got \`${credential.resourceId}\``,
      );
    }
    return found;
  }
  if ('secret' in credential) {
    found.push(...nameProblems('credential.secret.namespace', [credential.secret.namespace]));
    found.push(...nameProblems('credential.secret.name', [credential.secret.name]));
  }
  if (credential.tenantId.trim() === '') found.push('Expected `credential.tenantId` to be a tenant, got ``');
  const further = credential.kind === 'clientSecret' ? credential.auxiliaryTenantIds : undefined;
  if (further && (further.length < 1 || further.length > 3)) {
    found.push(`Expected \`credential.auxiliaryTenantIds\` to be one to three tenants, got ${further.length}`);
  }
  return found;
}
