/** `pulumi up`: creates the operator's identity in Azure, its settings, and all manifests in the cluster; see Pulumi.yaml. */
import { Secret } from '@pulumi/kubernetes/core/v1/index.js';
import * as pulumi from '@pulumi/pulumi';
import { Manifests } from './manifests.ts';
import { OperatorIdentity } from './operator-identity.ts';

const config = new pulumi.Config('azimuth');
const subscriptionId = config.require('subscriptionId');
const tenantId = config.require('tenantId');

const kinds = config.get('kinds');
const operatorKeyVault = config.get('operatorKeyVault') || undefined;

const manifests = new Manifests('azimuth', {
  image: config.require('image'),
  version: config.get('version') ?? '0.1.0',
  kinds,
  kubernetesVersion: config.get('kubernetesVersion'),
});

const identity = new OperatorIdentity('azimuth-operator', {
  subscriptionId,
  resourceGroupName: config.require('resourceGroupName'),
  oidcIssuerUrl: config.require('oidcIssuerUrl'),
  serviceAccount: { namespace: manifests.namespace, name: manifests.operatorServiceAccount },
  kinds,
  assignableRoles: config.getObject<string[]>('assignableRoles'),
  keyVaultIds: config.getObject<string[]>('keyVaultIds'),
});

// Contains no secret: the operator signs in with the token of its service account.
new Secret(
  'azimuth-operator-settings',
  {
    metadata: { name: 'azimuth-operator-settings', namespace: manifests.namespace },
    stringData: {
      AZURE_SUBSCRIPTION_ID: subscriptionId,
      AZURE_TENANT_ID: tenantId,
      AZURE_CLIENT_ID: identity.clientId,
      ...(operatorKeyVault !== undefined && { AZURE_OPERATOR_KEYVAULT: operatorKeyVault }),
    },
  },
  { dependsOn: [manifests] },
);

/** Client id of the operator's identity. */
export const clientId = identity.clientId;
/** Object id of the operator's identity, for further role assignments. */
export const principalId = identity.principalId;
