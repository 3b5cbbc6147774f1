import { type Exchange, type Reply, refuse } from '../../../exchange.ts';
import type { Json } from '../../../json.ts';
import { locations, normalLocation } from '../../write-checks.ts';
import { machineSize } from '../sizes.ts';

/** A size of machines that lists name: its name, memory in GB, and data disks. Every other size can be used too. */
type Size = readonly [name: string, memory: number, disks: number];

const sizes: readonly Size[] = [
  ['Standard_B1s', 1, 2],
  ['Standard_B2s', 4, 4],
  ['Standard_B2ms', 8, 4],
  ['Standard_B4ms', 16, 8],
  ['Standard_D2s_v3', 8, 4],
  ['Standard_D4s_v3', 16, 8],
  ['Standard_D2s_v5', 8, 4],
  ['Standard_D4s_v5', 16, 8],
  ['Standard_D8s_v5', 32, 16],
  ['Standard_D16s_v5', 64, 32],
  ['Standard_D2ds_v5', 8, 4],
  ['Standard_D4ds_v5', 16, 8],
  ['Standard_DS1_v2', 3.5, 4],
  ['Standard_DS2_v2', 7, 8],
  ['Standard_DS3_v2', 14, 16],
  ['Standard_E2s_v5', 16, 4],
  ['Standard_E4s_v5', 32, 8],
  ['Standard_E8s_v5', 64, 16],
  ['Standard_F2s_v2', 4, 4],
  ['Standard_F4s_v2', 8, 8],
];
const disks = ['Standard_LRS', 'StandardSSD_LRS', 'Premium_LRS', 'PremiumV2_LRS', 'UltraSSD_LRS'];
const zones = ['1', '2', '3'];
const noRegion = 'global';

const where = (location: string): Json => ({
  locations: [location],
  locationInfo: [{ location, zones, zoneDetails: [] }],
  restrictions: [],
});

function sizeSku([name, memory, maxDisks]: Size, location: string): Json {
  const { cores, family } = machineSize(name);
  const capabilities = {
    MaxResourceVolumeMB: '0',
    vCPUs: String(cores),
    MemoryGB: String(memory),
    MaxDataDiskCount: String(maxDisks),
    HyperVGenerations: 'V1,V2',
    CpuArchitectureType: 'x64',
    PremiumIO: /^Standard_[A-Z]+\d+[a-z]*s/.test(name) ? 'True' : 'False',
    LowPriorityCapable: 'True',
    AcceleratedNetworkingEnabled: String(cores > 1).replace(/^./, (letter) => letter.toUpperCase()),
    EphemeralOSDiskSupported: 'False',
    EncryptionAtHostSupported: 'True',
  };
  return {
    resourceType: 'virtualMachines',
    name,
    tier: 'Standard',
    size: name.replace('Standard_', ''),
    family,
    ...where(location),
    capabilities: Object.entries(capabilities).map(([each, value]) => ({ name: each, value })),
  };
}

const diskSku = (name: string, location: string): Json => {
  const [tier = ''] = name.split('_');
  return { resourceType: 'disks', name, tier, ...where(location), capabilities: [] };
};

/** `skus` of a subscription, in one page as Azure gives them; `$filter` may choose a location. */
export function resourceSkus(exchange: Exchange): Reply {
  const filter = exchange.query.get('$filter');
  const [, asked] = /^location eq '([^']*)'$/i.exec(filter?.trim() ?? '') ?? [];
  if (filter !== null && asked === undefined) {
    throw refuse(400, 'InvalidFilterInQueryString', `Invalid $filter '${filter}' specified in the query string.`);
  }
  const regions = locations.filter((each) => each !== noRegion && (!asked || each === normalLocation(asked)));
  const value = regions.flatMap((region) => [
    ...sizes.map((size) => sizeSku(size, region)),
    ...disks.map((name) => diskSku(name, region)),
  ]);
  return { status: 200, body: { value } };
}

/** `vmSizes` of any location. */
export const machineSizes = (): Json[] =>
  sizes.map(([name, memory, maxDataDiskCount]) => ({
    name,
    numberOfCores: machineSize(name).cores,
    osDiskSizeInMB: 1_047_552,
    resourceDiskSizeInMB: 0,
    memoryInMB: memory * 1024,
    maxDataDiskCount,
  }));
