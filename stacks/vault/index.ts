/** `pulumi up`: Key Vaults whose access is decided by roles, one or more in each region; see Pulumi.yaml. */
import { azureOptions } from '../components/azure-options.ts';
import { Settings } from '../components/settings.ts';
import { Vaults } from '../components/vaults.ts';

const settings = new Settings();
const vaults = new Vaults(
  'azimuth',
  {
    resourceGroupName: settings.required('resourceGroupName'),
    tenantId: settings.required('tenantId'),
    locations: settings.object<Record<string, string>>('locations') ?? {},
    retentionDays: settings.number('retentionDays'),
    purgeProtection: settings.boolean('purgeProtection'),
    forMachines: settings.boolean('forMachines'),
  },
  azureOptions(settings),
);

/** ARM ids of the vaults by name. */
export const keyVaultIds = vaults.ids;
/** URLs of the vaults by name. */
export const keyVaultUris = vaults.uris;
