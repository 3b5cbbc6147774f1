/** The label of the ConfigMaps in which the controller of pod identities records its attachments to machines. */
export const attachmentRecordLabel = { name: 'azimuth.dev/record', value: 'attachments' } as const;

/** Name of the controller's Lease, unless a flag says otherwise. */
export const identityLeaseName = 'azimuth-identity';
