/** `pulumi up`: the identities of Azimuth's programs and of workloads, and the roles they have; see Pulumi.yaml. */
import * as pulumi from '@pulumi/pulumi';
import { kindsOf } from '../../constructs/kind-choice.ts';
import { azureOptions } from '../components/azure-options.ts';
import { FederatedIdentity } from '../components/federated-identity.ts';
import { ControllerIdentity, OperatorIdentity, SecretEndpointIdentity } from '../components/program-identities.ts';
import { Settings } from '../components/settings.ts';
import { identityScopes, parseWorkloads } from '../components/workloads.ts';

const settings = new Settings();
const subscriptionId = settings.required('subscriptionId');
const tenantId = settings.required('tenantId');
const resourceGroupName = settings.required('resourceGroupName');
const programs = settings.list('programs');
const chosenKinds = settings.text('kinds');
const kinds = chosenKinds && kindsOf(chosenKinds);
const machineSecrets = programs.includes('machine-secrets');
const common = {
  resourceGroupName,
  subscriptionId,
  oidcIssuerUrl: settings.from('clusterStack', 'oidcIssuerUrl'),
  namespace: settings.text('namespace') ?? 'azimuth-system',
};
const listedVaults = Object.keys(settings.namesOfIds('keyVaultIds'));
const keyVaultIds = Object.fromEntries(
  [...new Set([...settings.list('keyVaults'), ...listedVaults])].map((name) => [
    name,
    settings.entryFrom('vaultStack', 'keyVaultIds', name),
  ]),
);
const inSubscription = azureOptions(settings, subscriptionId);

const parsed = parseWorkloads(settings.object('workloads') ?? {});
const made = parsed.map(
  ({ name, serviceAccounts, roles }) =>
    [name, new FederatedIdentity(name, { ...common, serviceAccounts, roles }, inSubscription)] as const,
);

const operator = programs.includes('operator')
  ? new OperatorIdentity(
      'azimuth-operator',
      {
        ...common,
        kinds,
        keyVaultIds,
        machineSecrets,
        assignableRoles: settings.object<string[]>('assignableRoles'),
      },
      inSubscription,
    ).identity
  : undefined;
const controller = programs.includes('pod-identity')
  ? new ControllerIdentity(
      'azimuth-identity',
      {
        ...common,
        nodeResourceGroupId: settings.from('clusterStack', 'nodeResourceGroupId'),
        identityScopes: Object.fromEntries(made.map(([name, { resourceId }]) => [name, resourceId])),
      },
      inSubscription,
    )
  : undefined;
const endpoint = machineSecrets
  ? new SecretEndpointIdentity('azimuth-secrets', { ...common, keyVaultIds }, inSubscription)
  : undefined;

const settingsOf = (identity: FederatedIdentity | undefined, more: Record<string, string> = {}) =>
  identity && { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: identity.clientId, ...more };
const operatorKeyVault = settings.text('operatorKeyVault');

/** The data of each program's Secret: ids, and nothing that could sign in. */
export const programSettings = pulumi.output({
  'azimuth-operator-settings': settingsOf(operator, {
    AZURE_SUBSCRIPTION_ID: subscriptionId,
    ...(operatorKeyVault !== undefined && { AZURE_OPERATOR_KEYVAULT: operatorKeyVault }),
  }),
  'azimuth-identity-settings': settingsOf(controller),
  'azimuth-secrets-settings': settingsOf(endpoint),
});

/** Input of `npm run synth` and the stack `platform`: programs, kinds, and which namespace has which identity. */
export const environment = {
  AZIMUTH_PROGRAMS: programs.join(';'),
  ...(kinds !== undefined && { AZIMUTH_KINDS: kinds }),
  ...(parsed.length > 0 && { AZIMUTH_IDENTITY_SCOPES: identityScopes(parsed, { subscriptionId, resourceGroupName }) }),
};

/** Ids of each workload's identity. */
export const workloads = Object.fromEntries(
  made.map(([name, { clientId, principalId, resourceId }]) => [name, { clientId, principalId, resourceId }]),
);

/** Object id of the operator's identity, for further role assignments. */
export const operatorPrincipalId = operator?.principalId;
