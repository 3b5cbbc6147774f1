import { getPath } from '../values/json-object.ts';
import type { KindExtension } from './extension.ts';

const final = [
  'backupschedulessuspended',
  'configuringprotectionfailed',
  'invalid',
  'notprotected',
  'protectionconfigured',
  'protectionstopped',
  'retentionschedulessuspended',
  'softdeleted',
];

const status = 'self.properties.protectionStatus.status';

/**
 * Azure configures the protection of a backup instance after its PUT has ended. An object is Ready when that is over.
 * After an error of the user, such as a missing role assignment, Azure tries again only when somebody asks for it.
 */
export const backupInstance: KindExtension = {
  readyWhen: `!has(self.properties.protectionStatus) || !has(${status}) ||
    ${status}.lowerAscii() in ${JSON.stringify(final)}`,
  whenNotReady: async (live, { resourceId, complete }) => {
    const shown = getPath(live, 'properties.protectionStatus.status');
    const code = getPath(live, 'properties.protectionStatus.errorDetails.code');
    if (String(shown).toLowerCase() !== 'protectionerror' || !/usererror/i.test(String(code))) return;
    await complete(`${resourceId}/sync`, '2024-04-01', { syncType: 'Default' });
  },
  // The properties of an error are a map.
  status: { keptIn: ['details', 'errorDetails', 'protectionErrorDetails'] },
};
