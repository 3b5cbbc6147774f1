import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { azureIdentity } from '../../runtime/api/pod-identity/azure-identity.ts';
import { behaviorAnnotation, namespacedBehavior } from '../../runtime/api/pod-identity/matching.ts';
import { validate } from '../../runtime/api/validate.ts';
import { nameProblems } from '../private/names.ts';

/** A Secret by name, in any namespace. */
export interface SecretReference {
  readonly namespace: string;
  readonly name: string;
}

/** The credential behind the tokens of the identity. */
export type IdentityCredential =
  /** A user-assigned identity, attached to the machines of its pods. */
  | { readonly kind: 'userAssigned'; readonly resourceId: string }
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
  | { readonly kind: 'workloadFederation'; readonly tenantId: string };

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

  /** The client id of the identity. */
  readonly clientId: string;

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

  constructor(scope: Construct, id: string, props: AzureIdentityProps) {
    super(scope, id);
    this.name = props.name ?? id.toLowerCase();
    this.namespace = props.namespace;
    this.isNamespaced = props.namespaced ?? true;
    const annotations = this.isNamespaced ? { [behaviorAnnotation]: namespacedBehavior } : undefined;
    const manifest = {
      apiVersion: 'aadpodidentity.k8s.io/v1',
      kind: azureIdentity.kind,
      metadata: { name: this.name, namespace: this.namespace, ...(annotations && { annotations }) },
      spec: specOf(props),
    };
    new ApiObject(this, 'Resource', manifest);
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
    clientID: clientId,
    ...(credential.kind === 'userAssigned' ? { resourceID: credential.resourceId } : { tenantID: credential.tenantId }),
    ...('secret' in credential && { clientPassword: { ...credential.secret } }),
    ...('auxiliaryTenantIds' in credential &&
      credential.auxiliaryTenantIds && { auxiliaryTenantIDs: [...credential.auxiliaryTenantIds] }),
    ...(authority !== undefined && { adEndpoint: authority }),
  };
}

function problems({ clientId, credential }: AzureIdentityProps): string[] {
  const found: string[] = [];
  if (clientId.trim() === '') found.push('Expected `clientId` to be the client id of the identity, got ``');
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
