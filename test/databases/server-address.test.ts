import { expect, test } from '@jest/globals';
import { clouds } from '../../runtime/azure/clouds.ts';
import { serverAddress, serverDomain, tokenAudience } from '../../runtime/databases/server-address.ts';

const publicCloud = clouds.AzurePublicCloud;

test('a password goes to servers in the domain of the cloud only', () => {
  expect(serverAddress('Srv.postgres.database.azure.com', 'postgresql', publicCloud)).toBe(
    'srv.postgres.database.azure.com',
  );
  const china = 'srv.postgres.database.chinacloudapi.cn';
  expect(serverAddress(china, 'postgresql', clouds.AzureChinaCloud)).toBe(china);
  for (const host of [
    china,
    'postgres.database.azure.com',
    'evil.com',
    'evil.com/.postgres.database.azure.com',
    'evilpostgres.database.azure.com',
    'srv.postgres.database.azure.com.evil.com',
    'srv@evil.com#.postgres.database.azure.com',
    '..postgres.database.azure.com',
    '10.0.0.1',
  ]) {
    expect(() => serverAddress(host, 'postgresql', publicCloud)).toThrow('must end in .postgres.database.azure.com');
  }
});

test('a server without an address is waited for', () => {
  for (const shown of [undefined, '', 7]) {
    expect(() => serverAddress(shown, 'postgresql', publicCloud)).toThrow(
      'Azure shows no fullyQualifiedDomainName of the server yet',
    );
  }
});

test('each service has a domain of its own', () => {
  const domains = (['postgresql', 'mysql', 'sql'] as const).map((service) => serverDomain(service, publicCloud));
  expect(domains).toEqual(['postgres.database.azure.com', 'mysql.database.azure.com', 'database.windows.net']);
  expect(() => serverAddress('srv.postgres.database.azure.com', 'sql', publicCloud)).toThrow('.database.windows.net');
  expect(tokenAudience(publicCloud)).toBe('https://ossrdbms-aad.database.windows.net');
  expect(tokenAudience(clouds.AzureChinaCloud)).toBe('https://ossrdbms-aad.database.chinacloudapi.cn');
});
