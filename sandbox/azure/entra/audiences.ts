/** Audiences of Microsoft's services, without a trailing slash. */
export const wellKnownAudiences = [
  'https://management.azure.com',
  'https://management.core.windows.net',
  'https://management.usgovcloudapi.net',
  'https://management.chinacloudapi.cn',
  'https://vault.azure.net',
  'https://vault.usgovcloudapi.net',
  'https://vault.azure.cn',
  'https://vault.localhost',
  'https://graph.microsoft.com',
  'https://storage.azure.com',
  'https://database.windows.net',
  'https://ossrdbms-aad.database.windows.net',
  'https://servicebus.azure.net',
  'https://eventhubs.azure.net',
  'https://cognitiveservices.azure.com',
  'https://containerregistry.azure.net',
  'https://redis.azure.com',
];

/** Where the sandbox's own services listen: they stand for Microsoft's. */
const here = /^https:\/\/(localhost|127\.0\.0\.1|vault\.localhost)(:\d+)?$/;

/** Whether tokens of this audience are for a service of Microsoft. */
export function isFirstParty(audience: string): boolean {
  const plain = audience.replace(/\/+$/, '').toLowerCase();
  return wellKnownAudiences.includes(plain) || here.test(plain);
}
