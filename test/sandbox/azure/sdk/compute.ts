/** Runs @azure/arm-compute against the embedded Azure that the environment names; prints what it returned as JSON. */
import { ComputeManagementClient, type VirtualMachineScaleSet } from '@azure/arm-compute';
import { ResourceManagementClient } from '@azure/arm-resources';
import { ClientSecretCredential } from '@azure/identity';

const env = (name: string) => process.env[name] ?? '';
const options = { authorityHost: env('AZURE_AUTHORITY_HOST'), disableInstanceDiscovery: true };
const credential = new ClientSecretCredential(
  env('AZURE_TENANT_ID'),
  env('AZURE_CLIENT_ID'),
  env('AZURE_CLIENT_SECRET'),
  options,
);
const armOptions = {
  endpoint: env('AZURE_RESOURCE_MANAGER_ENDPOINT'),
  credentialScopes: ['https://management.azure.com/.default'],
};
const compute = new ComputeManagementClient(credential, env('AZURE_SUBSCRIPTION_ID'), armOptions);
const fast = { updateIntervalInMs: 50 };
const group = 'sdk';

const set = (
  orchestrationMode: string,
  word: string,
  mode: 'Manual' | 'Rolling' = 'Manual',
): VirtualMachineScaleSet => ({
  location: 'westus2',
  sku: { name: 'Standard_D2s_v3', capacity: 3 },
  orchestrationMode,
  upgradePolicy: { mode },
  virtualMachineProfile: {
    osProfile: { computerNamePrefix: 'web', customData: Buffer.from(word).toString('base64') },
    extensionProfile: {
      extensions: [
        {
          name: 'health',
          publisher: 'Microsoft.ManagedServices',
          typePropertiesType: 'ApplicationHealthLinux',
          typeHandlerVersion: '1.0',
        },
      ],
    },
  },
});

async function instances(name: string) {
  const found: unknown[] = [];
  for await (const one of compute.virtualMachineScaleSetVMs.list(group, name, { expand: 'instanceView' })) {
    const { instanceId, latestModelApplied, instanceView } = one;
    found.push([instanceId, latestModelApplied, instanceView?.vmHealth?.status?.code]);
  }
  return found;
}

async function failure(run: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await run();
    return 'no error';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

async function uniform() {
  const sets = compute.virtualMachineScaleSets;
  const made = await sets.createOrUpdate(group, 'uniform', set('Uniform', 'a'), fast);
  await sets.createOrUpdate(group, 'uniform', set('Uniform', 'b'), fast);
  const changed = await instances('uniform');
  await sets.updateInstances(group, 'uniform', { instanceIds: ['0'] }, fast);
  await compute.virtualMachineScaleSetVMs.reimage(group, 'uniform', '1', fast);
  const upgraded = await instances('uniform');
  await compute.virtualMachineScaleSetVMs.deallocate(group, 'uniform', '2', fast);
  const one = await compute.virtualMachineScaleSetVMs.getInstanceView(group, 'uniform', '2');
  const all = await sets.getInstanceView(group, 'uniform');
  await sets.deleteInstances(group, 'uniform', { instanceIds: ['2'] }, fast);
  return {
    state: made.provisioningState,
    changed,
    upgraded,
    statuses: one.statuses?.map(({ code }) => code),
    summary: all.virtualMachine?.statusesSummary,
    left: (await sets.get(group, 'uniform')).sku?.capacity,
  };
}

async function rolling() {
  const sets = compute.virtualMachineScaleSets;
  const upgrades = compute.virtualMachineScaleSetRollingUpgrades;
  await sets.createOrUpdate(group, 'rolling', set('Uniform', 'a', 'Rolling'), fast);
  const before = await failure(() => upgrades.getLatest(group, 'rolling'));
  await sets.createOrUpdate(group, 'rolling', set('Uniform', 'b', 'Rolling'), fast);
  const started = await upgrades.getLatest(group, 'rolling');
  const refused = await failure(() => sets.update(group, 'rolling', { tags: { a: 'b' } }, fast));
  await upgrades.cancel(group, 'rolling', fast);
  const cancelled = await upgrades.getLatest(group, 'rolling');
  return {
    before,
    started: [
      started.runningStatus?.code,
      started.progress?.inProgressInstanceCount,
      started.policy?.maxBatchInstancePercent,
    ],
    refused,
    lastAction: cancelled.runningStatus?.lastAction,
  };
}

async function flexible() {
  await compute.virtualMachineScaleSets.createOrUpdate(group, 'flexible', set('Flexible', 'a'), fast);
  const { id } = await compute.virtualMachineScaleSets.get(group, 'flexible');
  const names: (string | undefined)[] = [];
  const filter = `'virtualMachineScaleSet/id' eq '${id}'`;
  for await (const { name } of compute.virtualMachines.list(group, { filter })) names.push(name);
  const view = await compute.virtualMachines.instanceView(group, names[0] ?? '');
  return { names: names.length, power: view.statuses?.at(-1)?.code, instances: (await instances('flexible')).length };
}

async function machine() {
  const body = {
    location: 'westus2',
    hardwareProfile: { vmSize: 'Standard_D2s_v3' },
    osProfile: { computerName: 'vm' },
  };
  await compute.virtualMachines.createOrUpdate(group, 'vm', body, fast);
  const access = {
    location: 'westus2',
    publisher: 'Microsoft.OSTCExtensions',
    typePropertiesType: 'VMAccessForLinux',
    typeHandlerVersion: '1.5',
    protectedSettings: { username: 'a' },
  };
  const extension = await compute.virtualMachineExtensions.createOrUpdate(group, 'vm', 'access', access, fast);
  await compute.virtualMachines.deallocate(group, 'vm', fast);
  const stopped = (await compute.virtualMachines.instanceView(group, 'vm')).statuses?.at(-1)?.code;
  await compute.virtualMachines.start(group, 'vm', fast);
  const seen = await compute.virtualMachines.get(group, 'vm', { expand: 'instanceView' });
  const usages: (string | undefined)[] = [];
  for await (const { name } of compute.usage.list('westus2')) usages.push(name?.value);
  return {
    hidden: extension.protectedSettings === undefined,
    stopped,
    started: seen.instanceView?.statuses?.at(-1)?.code,
    extensions: seen.instanceView?.extensions?.map(({ name }) => name),
    usages,
  };
}

const resources = new ResourceManagementClient(credential, env('AZURE_SUBSCRIPTION_ID'), armOptions);
await resources.resourceGroups.createOrUpdate(group, { location: 'westus2' });
const output: Record<string, unknown> = {};
for (const [name, run] of Object.entries({ uniform, rolling, flexible, machine })) {
  output[name] = await run().catch((error: unknown) => ({
    failed: error instanceof Error ? error.stack : String(error),
  }));
}
process.stdout.write(JSON.stringify(output));
