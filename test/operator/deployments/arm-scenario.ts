/** A template as people publish them: a scale set behind a load balancer, whose certificate is a ManagedSecret. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { core, secrets, types } from '../support.ts';
import { deploymentType, runType } from './deployment-world.ts';
import { armVersion, managedSecretType, type Place, setType } from './place.ts';

const network = 'Microsoft.Network';
const compute = 'compute.azure.com';
const location = "[parameters('location')]";
const badSku = '22_04-lts-gone';
const password = 'correct-Horse-9';

/** The template; no line of it knows of Kubernetes, but for the certificate, which is a parameter. */
const template = {
  $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
  contentVersion: '1.0.0.0',
  parameters: {
    vmSku: { type: 'string', defaultValue: 'Standard_D2s_v3', metadata: { description: 'Size of the machines.' } },
    imageSku: { type: 'string', defaultValue: '22_04-lts' },
    vmssName: { type: 'string', minLength: 3, maxLength: 15 },
    instanceCount: { type: 'int', defaultValue: 2, minValue: 1, maxValue: 100 },
    adminUsername: { type: 'string', defaultValue: 'azureuser' },
    adminPassword: { type: 'securestring' },
    certificateUrl: { type: 'securestring' },
    vaultId: { type: 'string' },
    location: { type: 'string', defaultValue: '[resourceGroup().location]' },
  },
  variables: {
    networkName: "[toLower(concat(parameters('vmssName'), 'net'))]",
    loadBalancerName: "[concat(parameters('vmssName'), 'lb')]",
    addressName: "[concat(parameters('vmssName'), '-', substring(uniqueString(resourceGroup().id), 0, 6))]",
    poolId:
      "[resourceId('Microsoft.Network/loadBalancers/backendAddressPools', variables('loadBalancerName'), 'pool')]",
    subnetId: "[resourceId('Microsoft.Network/virtualNetworks/subnets', variables('networkName'), 'front')]",
    tags: { application: 'shop', template: 'vmss-tls' },
  },
  resources: [
    {
      type: `${network}/virtualNetworks`,
      apiVersion: armVersion('network.azure.com', 'VirtualNetwork'),
      name: "[variables('networkName')]",
      location,
      tags: "[variables('tags')]",
      properties: {
        addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
        subnets: [{ name: 'front', properties: { addressPrefix: '10.0.0.0/24' } }],
      },
    },
    {
      type: `${network}/publicIPAddresses`,
      apiVersion: armVersion('network.azure.com', 'PublicIPAddress'),
      name: "[variables('addressName')]",
      location,
      sku: { name: 'Standard' },
      properties: {
        publicIPAllocationMethod: 'Static',
        dnsSettings: { domainNameLabel: "[toLower(variables('addressName'))]" },
      },
    },
    {
      type: `${network}/loadBalancers`,
      apiVersion: armVersion('network.azure.com', 'LoadBalancer'),
      name: "[variables('loadBalancerName')]",
      location,
      sku: { name: 'Standard' },
      dependsOn: ["[resourceId('Microsoft.Network/publicIPAddresses', variables('addressName'))]"],
      properties: {
        frontendIPConfigurations: [
          {
            name: 'front',
            properties: {
              publicIPAddress: { id: "[resourceId('Microsoft.Network/publicIPAddresses', variables('addressName'))]" },
            },
          },
        ],
        backendAddressPools: [{ name: 'pool' }],
      },
    },
    {
      type: 'Microsoft.Compute/virtualMachineScaleSets',
      apiVersion: armVersion(compute, 'VirtualMachineScaleSet'),
      name: "[parameters('vmssName')]",
      location,
      tags: "[variables('tags')]",
      sku: { name: "[parameters('vmSku')]", tier: 'Standard', capacity: "[parameters('instanceCount')]" },
      dependsOn: [
        "[resourceId('Microsoft.Network/virtualNetworks', variables('networkName'))]",
        "[resourceId('Microsoft.Network/loadBalancers', variables('loadBalancerName'))]",
      ],
      properties: {
        overprovision: false,
        orchestrationMode: 'Uniform',
        upgradePolicy: { mode: 'Manual' },
        virtualMachineProfile: {
          storageProfile: {
            osDisk: { createOption: 'FromImage', caching: 'ReadWrite' },
            imageReference: {
              publisher: 'Canonical',
              offer: '0001-com-ubuntu-server-jammy',
              sku: "[parameters('imageSku')]",
              version: 'latest',
            },
          },
          osProfile: {
            computerNamePrefix: "[parameters('vmssName')]",
            adminUsername: "[parameters('adminUsername')]",
            adminPassword: "[parameters('adminPassword')]",
            secrets: [
              {
                sourceVault: { id: "[parameters('vaultId')]" },
                vaultCertificates: [{ certificateUrl: "[parameters('certificateUrl')]" }],
              },
            ],
          },
          networkProfile: {
            networkInterfaceConfigurations: [
              {
                name: 'nic',
                properties: {
                  primary: true,
                  ipConfigurations: [
                    {
                      name: 'ip',
                      properties: {
                        subnet: { id: "[variables('subnetId')]" },
                        loadBalancerBackendAddressPools: [{ id: "[variables('poolId')]" }],
                      },
                    },
                  ],
                },
              },
            ],
          },
        },
      },
    },
  ],
  outputs: { scaleSet: { type: 'string', value: "[parameters('vmssName')]" } },
};

/** `azimuth plan --offline` of a deployment, as JSON with its exit code. */
async function plan(namespace: string, deployment: object) {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-plan-'));
  try {
    const file = join(directory, 'deployment.json');
    writeFileSync(file, JSON.stringify(deployment));
    const args = ['runtime/cli/azimuth.ts', 'plan', '--offline', '-f', file, '-n', namespace, '-o', 'json'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { code, out, err };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The vault, the approval and the certificate that the template's scale set needs. */
async function prepare(place: Place): Promise<string> {
  const { azure } = place;
  await place.apply(types.group, 'tls-westeurope', { spec: { location: 'westeurope' } });
  await place.apply(secrets, 'web-admin', { stringData: { password } });
  const properties = {
    tenantId: azure.tenantId,
    sku: { family: 'A', name: 'standard' },
    enableRbacAuthorization: true,
    enabledForDeployment: true,
  };
  const vaultSpec = { location: 'westeurope', owner: { name: 'tls-westeurope' }, properties };
  await place.apply(types.vault, 'azmtlsvault', { spec: vaultSpec });
  const vaultId = String((await place.ready(types.vault, 'azmtlsvault'))['status']?.id);
  azure.assignRole(azure.defaultApp.objectId, 'Key Vault Administrator', vaultId);
  const feature = { subscription: azure.subscriptionId, feature: 'azimuth.dev/ManagedSecrets' };
  await place.apply(registrationType, 'deployments-test', { spec: feature });
  await place.apply(approvalType, 'deployments-test', { spec: { for: { name: 'deployments-test' } } });
  await place.apply(managedSecretType, 'web-tls', {
    spec: {
      kind: 'Certificate',
      certificate: { subject: 'CN=shop.example.com' },
      home: { vault: { group: 'keyvault.azure.com', kind: 'Vault', name: 'azmtlsvault' } },
    },
  });
  await place.ready(managedSecretType, 'web-tls');
  return vaultId;
}

const machineType = (plural: string, kind: string) => ({
  ...core(plural, kind),
  group: 'azimuth.dev',
  version: 'v1alpha1',
  namespaced: false,
});
const registrationType = machineType('featureregistrations', 'FeatureRegistration');
const approvalType = machineType('featureapprovals', 'FeatureApproval');

/** The template is planned, run, changed, rolled back after a bad image, brought back to its first goal, and deleted. */
export async function armTemplate(place: Place): Promise<void> {
  const { azure } = place;
  azure.settings.missingImages = [`Canonical:0001-com-ubuntu-server-jammy:${badSku}:latest`];
  const vaultId = await prepare(place);
  const goal = (parameters: Readonly<Record<string, unknown>>) => ({
    locations: [{ name: 'westeurope' }],
    strategy: { onFailure: 'Rollback' },
    parameters: {
      vmssName: { value: 'shop' },
      vaultId: { value: vaultId },
      adminPassword: { secret: { name: 'web-admin', key: 'password' } },
      certificateUrl: { managedSecret: 'web-tls' },
      ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, { value }])),
    },
    template: { arm: { json: JSON.stringify(template), owner: { name: 'tls-westeurope' } } },
  });
  const shown = async () => {
    const { sku, properties } = await place.scaleSet('tls-westeurope', 'shop');
    const { osProfile, storageProfile } = properties.virtualMachineProfile;
    const [{ sourceVault, vaultCertificates }] = osProfile.secrets;
    return {
      capacity: sku.capacity,
      image: storageProfile.imageReference.sku,
      vault: sourceVault.id.toLowerCase() === vaultId.toLowerCase(),
      certificate: /\/secrets\/[^/]+\/[0-9a-f]{32}$/.test(vaultCertificates[0].certificateUrl),
    };
  };
  const good = { capacity: 2, image: '22_04-lts', vault: true, certificate: true };

  const { apiVersion, kind } = { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ComputeDeployment' };
  const planned = await plan(place.namespace, { apiVersion, kind, metadata: { name: 'tls' }, spec: goal({}) });
  expect([planned.code, planned.err]).toEqual([0, '']);
  for (const each of ['VirtualMachineScaleSet', 'LoadBalancer', 'PublicIPAddress', 'ArmResource'])
    expect(planned.out).toContain(each);

  await place.deploy('tls', goal({}));
  await place.run('tls', 1, 'Succeeded');
  expect(await shown()).toEqual(good);

  await place.deploy('tls', goal({ instanceCount: 3 }));
  await place.run('tls', 2, 'Succeeded');
  expect(await shown()).toEqual({ ...good, capacity: 3 });

  await place.deploy('tls', goal({ instanceCount: 4, imageSku: badSku }));
  expect((await place.run('tls', 3, 'Failed'))['status'].message).toContain('is not available');
  expect((await place.run('tls', 4, 'Succeeded'))['status'].reason).toBe('Rollback');
  expect(await shown()).toEqual({ ...good, capacity: 3 });

  await place.apply(runType, 'tls-first', { spec: { deployment: 'tls', goalOf: 'tls-1' } });
  await place.run('tls', 5, 'Succeeded');
  expect(await shown()).toEqual(good);

  for (const type of [deploymentType, runType, setType]) {
    const { items } = await place.client.list(type, { namespace: place.namespace });
    expect(items.length).toBeGreaterThan(0);
    expect(JSON.stringify(items)).not.toContain(password);
  }
  await place.removeDeployment('tls');
  expect(await place.inAzure('tls-westeurope')).toEqual([vaultId.toLowerCase()]);
  expect(await place.names(setType)).toEqual([]);
  await place.remove(managedSecretType, 'web-tls');
  await place.remove(types.vault, 'azmtlsvault');
  await place.remove(types.group, 'tls-westeurope');
  expect(await place.inAzure('tls-westeurope')).toBeUndefined();
  await place.remove(secrets, 'web-admin');
  await place.remove(approvalType, 'deployments-test');
  await place.remove(registrationType, 'deployments-test');
}
