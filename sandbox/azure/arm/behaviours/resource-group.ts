import { refuse } from '../../exchange.ts';
import type { Behaviour } from '../behaviour.ts';

/** Resource groups. */
export const resourceGroupBehaviours: readonly Behaviour[] = [
  {
    type: 'Microsoft.Resources/resourceGroups',
    apiVersions: [
      '2016-09-01',
      '2017-05-10',
      '2018-05-01',
      '2019-05-01',
      '2019-10-01',
      '2020-06-01',
      '2020-10-01',
      '2021-01-01',
      '2021-04-01',
      '2022-09-01',
      '2023-07-01',
      '2024-03-01',
      '2024-07-01',
      '2024-11-01',
      '2025-03-01',
      '2025-04-01',
    ],
    tracked: true,
    create: { status: 201 },
    update: { status: 200 },
    remove: { status: 202, poll: 'location', retryAfterSeconds: 15, final: 200 },
    name: {
      pattern: /^[-\w._()\p{L}\p{N}]{0,89}[-\w_()\p{L}\p{N}]$/u,
      refuse: (name) =>
        refuse(
          400,
          'InvalidResourceGroupName',
          `The provided resource group name '${name}' has these invalid characters or length: at most 90 letters, digits, '_', '-', '.', '(' and ')' not ending with '.' are allowed.`,
        ),
    },
  },
];
