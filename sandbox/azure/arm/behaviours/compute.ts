import type { Behaviour } from '../behaviour.ts';

const asynchronous = { poll: 'status', retryAfterSeconds: 10 } as const;

const compute = {
  create: { status: 201, ...asynchronous },
  update: { status: 200, ...asynchronous },
  remove: { status: 202, poll: 'both', retryAfterSeconds: 10, final: 200 },
} as const satisfies Partial<Behaviour>;

/** Microsoft.Compute. */
export const computeBehaviours: readonly Behaviour[] = [
  {
    ...compute,
    type: 'Microsoft.Compute/virtualMachines',
    writeOnly: ['properties.osProfile.adminPassword', 'properties.osProfile.customData'],
    computed({ system, ids }) {
      system['vmId'] ??= ids.uuid();
      return { properties: { vmId: system['vmId'] } };
    },
  },
  {
    ...compute,
    type: 'Microsoft.Compute/virtualMachineScaleSets',
    embeds: [{ member: 'virtualMachineProfile.extensionProfile.extensions', childType: 'extensions' }],
    writeOnly: [
      'properties.virtualMachineProfile.osProfile.adminPassword',
      'properties.virtualMachineProfile.osProfile.customData',
      'properties.virtualMachineProfile.extensionProfile.extensions.properties.protectedSettings',
    ],
    computed({ system, ids }) {
      system['uniqueId'] ??= ids.uuid();
      return { properties: { uniqueId: system['uniqueId'] } };
    },
  },
  {
    ...compute,
    type: 'Microsoft.Compute/virtualMachines/extensions',
    tracked: true,
    writeOnly: ['properties.protectedSettings'],
  },
  {
    ...compute,
    type: 'Microsoft.Compute/virtualMachineScaleSets/extensions',
    writeOnly: ['properties.protectedSettings'],
  },
];
